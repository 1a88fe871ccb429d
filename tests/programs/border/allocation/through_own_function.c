// expect: true
// property: valid-deref
// allocations: fail 2
// The program's own allocator ends the program where there is no memory.
#include <stdlib.h>

static void *make(size_t n)
{
    void *p = malloc(n);
    if (!p)
        exit(1);
    return p;
}
int main(void)
{
    int *a = make(4), *b;
    if (!a)
        return 1;
    b = make(4);
    *b = 2;
    free(b);
    free(a);
    return 0;
}
