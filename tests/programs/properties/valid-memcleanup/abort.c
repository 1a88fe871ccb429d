// expect: false (not native)
// abort ends the program, and the block is left.
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
