// expect: true
// property: valid-deref
// inputs: 16
// The last byte of the new block is written.
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > 16)
        return 0;
    char *p = malloc(4);
    if (!p)
        return 0;
    memcpy(p, "abc", 4);
    char *q = realloc(p, n);
    if (!q) {
        free(p);
        return 0;
    }
    q[n - 1] = 1;
    free(q);
    return 0;
}
