// expect: true
// property: valid-deref
// A block of no bytes may be freed.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(0);
    if (!p)
        return 0;
    free(p);
    return 0;
}
