// expect: false
// A pointer into a block is not its start.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    if (__VERIFIER_nondet_int())
        p++;
    free(p); // bad
    return 0;
}
