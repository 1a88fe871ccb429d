// expect: true
// property: valid-free
// inputs: 0
// Only what was allocated is freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char spare[8];

int main(void)
{
    char *p = spare;
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        p = malloc(8);
    if (p != spare)
        free(p);
    return 0;
}
