// expect: false or unknown
// Blocks that were freed are given out again: a later block lies below an earlier one.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *a = malloc(24), *b = malloc(24), *c, *d;
    if (!a || !b)
        return 0;
    free(a);
    free(b);
    c = malloc(24);
    d = malloc(24);
    if (!c || !d)
        return 0;
    if ((uintptr_t)c > (uintptr_t)d)
        reach_error();
    return 0;
}
