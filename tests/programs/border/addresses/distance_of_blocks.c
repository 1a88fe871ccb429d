// expect: unknown
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *a = malloc(4), *b = malloc(4);
    if (!a || !b)
        return 0;
    if (b - a != 32)
        reach_error();
    return 0;
}
