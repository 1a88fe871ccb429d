// expect: true
// property: no-null-deref
// Nothing is as large as all memory: that allocation fails.
#include <stdlib.h>

int main(void)
{
    char *p = malloc((size_t)-1);
    if (p)
        *p = 1;
    free(p);
    return 0;
}
