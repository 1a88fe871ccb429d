// expect: true
// property: valid-memcleanup
// The block is freed before exit.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    free(p);
    exit(p == 0);
}
