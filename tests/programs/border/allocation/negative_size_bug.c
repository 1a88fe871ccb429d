// expect: false
// property: no-null-deref
// inputs: -1
// A negative number becomes a size that no memory has.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    char *p;
    if (n > 100 || n == 0)
        return 0;
    p = malloc((size_t)n);
    p[0] = 1;
    free(p);
    return 0;
}
