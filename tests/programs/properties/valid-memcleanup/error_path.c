// expect: false
// The error path forgets.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int work(int n)
{
    char *p = malloc(4);
    if (n < 0)
        return -1;
    free(p);
    return 0;
}
int main(void)
{
    work(__VERIFIER_nondet_int());
    return 0;
} // bad
