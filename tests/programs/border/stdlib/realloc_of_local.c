// expect: true
// property: valid-free
// realloc gets a block of the heap.
#include <stdlib.h>

int main(void)
{
    char small[4], *p;
    small[0] = 0;
    p = realloc(0, 8);
    free(p);
    return 0;
}
