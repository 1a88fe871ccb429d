// expect: unknown
// glibc gives the second block the place of the first.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *a = malloc(4);
    if (!a)
        return 0;
    free(a);
    int *b = malloc(4);
    if (b && a == b)
        reach_error();
    return 0;
}
