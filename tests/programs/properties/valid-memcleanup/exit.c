// expect: false (not native)
// exit without freeing.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char *p;
int main(void)
{
    p = malloc(10);
    if (__VERIFIER_nondet_int() == 3)
        exit(1); // bad
    free(p);
    return 0;
}
