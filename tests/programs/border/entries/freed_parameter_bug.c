// expect: false or unknown
// property: valid-free
// options: --entry drop
// native: extern void drop(void *p); int main(void) { int x; drop(&x); return 0; }
// What is passed need not be a block of the heap.
#include <stdlib.h>

void drop(void *p)
{
    free(p);
}
