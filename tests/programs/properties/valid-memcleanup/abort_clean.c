// expect: true
// abort after freeing.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    free(p);
    if (__VERIFIER_nondet_int())
        abort();
    return 0;
}
