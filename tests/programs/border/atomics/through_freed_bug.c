// expect: false or unknown
// property: valid-deref
// The counter is counted after it was freed.
#include <stdlib.h>

int main(void)
{
    int *n = malloc(sizeof *n), r;
    if (!n)
        return 1;
    *n = 1;
    free(n);
    r = __atomic_sub_fetch(n, 1, __ATOMIC_SEQ_CST);
    return r;
}
