// expect: false (not native)
// A string is no block.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(2), *s = "text";
    free(__VERIFIER_nondet_int() > 9 ? s : p); // bad
    return 0;
}
