// check: --property valid-memcleanup
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int *first = malloc(sizeof *first);
    int *second = malloc(sizeof *second);
    if (!first || !second)
        return 1;
    free(first);
    if (__VERIFIER_nondet_int() == 7)
        free(second);
    return 0;
}
