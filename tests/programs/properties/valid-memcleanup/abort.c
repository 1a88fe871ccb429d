// expect: false
// abort ends a program, and nothing is freed then.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    if (__VERIFIER_nondet_int())
        abort(); // bad
    free(p);
    return 0;
}
