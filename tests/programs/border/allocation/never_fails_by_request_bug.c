// expect: false
// options: --malloc never-fails
// inputs: 5
// Who says that malloc never fails still gets the other errors.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = __VERIFIER_nondet_int();
    if (*p == 5)
        reach_error();
    free(p);
    return 0;
}
