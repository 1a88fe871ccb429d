// expect: false
// The clean-up frees once more.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *a = malloc(1), *b = 0;
    if (__VERIFIER_nondet_int() < 0) {
        free(a);
        goto out;
    }
    b = malloc(1);
out:
    free(b);
    free(a); // bad
    return 0;
}
