// expect: false
// calloc gives zeros, each of them.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *p = calloc(3, sizeof *p);
    if (!p)
        return 0;
    if (p[2] == 0)
        reach_error();
    free(p);
    return 0;
}
