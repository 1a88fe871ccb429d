// expect: true or unknown
// property: valid-free
// free ends a block.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(8);
    if (!p)
        return 1;
    free(p);
    return 0;
}
