// expect: true
// property: valid-deref
// A block of aligned_alloc is as long as it was told.
#include <stdlib.h>

int main(void)
{
    char *p = aligned_alloc(64, 64);
    if (!p)
        return 1;
    p[63] = 1;
    free(p);
    return 0;
}
