// expect: true or unknown
// property: valid-free
// options: --entry drop
// native: extern void drop(void *p); int main(void) { int x; drop(&x); return 0; }
// What is allocated here is freed here.
#include <stdlib.h>

void drop(void *p)
{
    p = malloc(1);
    free(p);
}
