// expect: true
// The error path frees, too.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int work(int n)
{
    char *p = malloc(4);
    int r = n < 0 ? -1 : 0;
    free(p);
    return r;
}
int main(void)
{
    work(__VERIFIER_nondet_int());
    return 0;
}
