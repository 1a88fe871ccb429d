// expect: true
// property: valid-memtrack
// allocations: fail 2
// Where realloc fails the old block is still there and is freed.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(2), *q;
    if (!p)
        return 1;
    q = realloc(p, 20);
    if (!q) {
        free(p);
        return 1;
    }
    p = q;
    q = 0;
    free(p);
    return 0;
}
