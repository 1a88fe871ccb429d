// expect: true
// exit after freeing.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char *p;
int main(void)
{
    p = malloc(10);
    free(p);
    if (__VERIFIER_nondet_int() == 3)
        exit(1);
    return 0;
}
