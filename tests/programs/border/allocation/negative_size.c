// expect: true
// property: no-null-deref
// inputs: -1
// A negative number is no size, and is asked for.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    char *p;
    if (n < 1 || n > 100)
        return 0;
    p = malloc((size_t)n);
    if (!p)
        return 1;
    p[0] = 1;
    free(p);
    return 0;
}
