// expect: false
// property: valid-deref
// realloc of a null pointer allocates as much as it is told, not more.
#include <stdlib.h>

int main(void)
{
    int *p = realloc(0, 2 * sizeof *p);
    if (!p)
        return 1;
    p[2] = 1;
    free(p);
    return 0;
}
