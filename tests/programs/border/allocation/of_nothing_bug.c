// expect: false or unknown
// property: valid-deref
// not shown by gcc: the sanitizer's allocator gives one byte
// A block of no bytes holds no byte.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(0);
    if (!p)
        return 0;
    p[0] = 1;
    free(p);
    return 0;
}
