// expect: false
// property: valid-memtrack
// shown by: blocks that are left
// The only pointer to a block is overwritten before abort.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    p = 0;
    abort();
}
