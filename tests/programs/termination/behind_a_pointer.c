// expect: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int *n = malloc(sizeof *n);
    if (!n)
        return 1;
    *n = __VERIFIER_nondet_int();
    while (*n > 0)
        --*n;
    free(n);
    return 0;
}
