// expect: true
// options: --malloc never-fails
// inputs: 5
// Who says that malloc never fails gets his proof.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        reach_error();
    *p = __VERIFIER_nondet_int();
    free(p);
    return 0;
}
