// expect: false
// property: valid-free
// A place inside the block is freed.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 1;
    p++;
    free(p);
    return 0;
}
