// expect: true
// The last byte of a block of more than 200 MB, and a smaller one behind it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 200000000)
        n = 200000000;
    char *p = malloc(n);
    char *q = malloc(8);
    p[n - 1] = 1;
    q[7] = 2;
    int sum = p[n - 1] + q[7];
    free(p);
    free(q);
    return sum == 3 ? 0 : p[0]; // never read: the blocks do not overlap
}
