// expect: true
// property: valid-deref
// The counter lives while it is counted.
#include <stdlib.h>

int main(void)
{
    int *n = malloc(sizeof *n), r;
    if (!n)
        return 1;
    *n = 1;
    r = __atomic_sub_fetch(n, 1, __ATOMIC_SEQ_CST);
    free(n);
    return r;
}
