// expect: true
// exit with nothing left.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    free(p);
    if (__VERIFIER_nondet_int() == 1)
        exit(1);
    return 0;
}
