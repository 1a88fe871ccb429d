// expect: true
// The last access comes before free.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof *p), x;
    *p = 4;
    x = *p;
    if (__VERIFIER_nondet_int() == 3)
        free(p);
    return x;
}
