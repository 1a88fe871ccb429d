// expect: false
// property: no-null-deref
// Nothing is as large as all memory, and the failure is not treated.
#include <stdlib.h>

int main(void)
{
    char *p = malloc((size_t)-1);
    *p = 1;
    free(p);
    return 0;
}
