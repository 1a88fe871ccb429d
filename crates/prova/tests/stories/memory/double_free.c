// check: --property valid-free
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char *buffer = malloc(12);
    int failed = __VERIFIER_nondet_int() > 5;
    if (!buffer)
        return 1;
    if (failed)
        free(buffer);
    free(buffer);
    return 0;
}
