// expect: false
// property: valid-deref
// A block of aligned_alloc is as long as it was told, not as its alignment.
#include <stdlib.h>

int main(void)
{
    char *p = aligned_alloc(64, 64);
    if (!p)
        return 1;
    p[64] = 1;
    free(p);
    return 0;
}
