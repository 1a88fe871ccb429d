// expect: true or unknown
// property: valid-memcleanup
// The block is freed before quick_exit.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    free(p);
    quick_exit(p == 0);
}
