// expect: true
// abort does not end a program in order.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    if (__VERIFIER_nondet_int())
        abort();
    free(p);
    return 0;
}
