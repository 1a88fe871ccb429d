// expect: true
// The clean-up frees what there is.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *a = malloc(1), *b = 0;
    if (__VERIFIER_nondet_int() < 0) {
        free(a);
        a = 0;
        goto out;
    }
    b = malloc(1);
out:
    free(b);
    free(a);
    return 0;
}
