// expect: false
// property: valid-deref
// allocations: fail 2
// The second block is not asked for.
#include <stdlib.h>

int main(void)
{
    char *a = malloc(4), *b;
    if (!a)
        return 1;
    b = calloc(4, 1);
    a[0] = b[3] = 1;
    free(b);
    free(a);
    return 0;
}
