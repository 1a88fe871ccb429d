// expect: true or unknown
// property: valid-deref
// inputs: 4
// alloca gives as many bytes as it is told.
#include <alloca.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    char *p;
    if (n < 1 || n > 8)
        return 0;
    p = alloca((unsigned)n);
    p[n - 1] = 1;
    return 0;
}
