// expect: true or unknown
// property: valid-deref
// inputs: 4
// A block gets larger and keeps what it holds.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > 16)
        return 0;
    char *p = malloc(n);
    if (!p)
        return 1;
    p[n - 1] = 'x';
    char *q = realloc(p, n + 8);
    if (!q) {
        free(p);
        return 1;
    }
    q[n + 7] = q[n - 1];
    free(q);
    return 0;
}
