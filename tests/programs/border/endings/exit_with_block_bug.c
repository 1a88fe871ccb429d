// expect: false
// property: valid-memcleanup
// exit ends the program while a block is allocated.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    exit(p == 0);
}
