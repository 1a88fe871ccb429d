// expect: false
// An array in the frame is no block.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char a[4], *p = malloc(4);
    char *q = __VERIFIER_nondet_int() != 77 ? p : a;
    free(q); // bad
    return 0;
}
