// expect: false
// A static array is no block.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char buffer[16];
int main(void)
{
    char *p = __VERIFIER_nondet_int() ? buffer : malloc(16);
    free(p); // bad
    return 0;
}
