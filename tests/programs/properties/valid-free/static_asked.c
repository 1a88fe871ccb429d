// expect: true
// The static array is left alone.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char buffer[16];
int main(void)
{
    char *p = __VERIFIER_nondet_int() ? buffer : malloc(16);
    if (p != buffer)
        free(p);
    return 0;
}
