// expect: false or unknown
// property: valid-memcleanup
// quick_exit ends the program while a block is allocated.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    quick_exit(p == 0);
}
