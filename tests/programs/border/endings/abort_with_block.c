// expect: true
// property: valid-memcleanup
// The block is freed before abort.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    abort();
}
