// expect: true
// property: valid-deref
// realloc of a null pointer allocates.
#include <stdlib.h>

int main(void)
{
    int *p = realloc(0, 2 * sizeof *p);
    if (!p)
        return 1;
    p[1] = 1;
    free(p);
    return 0;
}
