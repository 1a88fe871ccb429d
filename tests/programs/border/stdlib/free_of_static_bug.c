// expect: false
// property: valid-free
// inputs: 0
// A static buffer is freed where it was used instead of a block.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char spare[8];

int main(void)
{
    char *p = spare;
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        p = malloc(8);
        free(p);
    return 0;
}
