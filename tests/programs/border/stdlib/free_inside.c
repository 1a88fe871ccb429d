// expect: true
// property: valid-free
// The beginning of the block is freed.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 1;
    p++;
    p--;
    free(p);
    return 0;
}
