// expect: false
// The global variable points to nothing any more.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char *p;
int main(void)
{
    p = malloc(10);
    if (__VERIFIER_nondet_int() == 4)
        p = 0;
    return 0;
} // bad
