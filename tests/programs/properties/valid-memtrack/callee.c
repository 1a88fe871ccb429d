// expect: false
// The function keeps its block to itself.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int work(int n)
{
    int *p = malloc(4), r;
    *p = n;
    r = *p;
    if (n > 100)
        return -1;
    free(p);
    return r;
}
int main(void)
{
    work(__VERIFIER_nondet_int());
    return 0;
} // bad
