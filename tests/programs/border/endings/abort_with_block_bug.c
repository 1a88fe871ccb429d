// expect: false
// property: valid-memcleanup
// abort ends the program while a block is allocated.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    abort();
}
