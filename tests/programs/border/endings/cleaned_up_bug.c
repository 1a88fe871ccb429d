// expect: false or unknown
// property: valid-memcleanup
// inputs: 1
// A cleanup function does not run where exit ends the program.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void drop(char **at)
{
    free(*at);
}
static int work(int n)
{
    __attribute__((cleanup(drop))) char *p = malloc(4);
    if (n == 1)
        exit(p == 0);
    return 0;
}
int main(void)
{
    return work(__VERIFIER_nondet_int());
}
