// expect: true
// property: valid-memcleanup
// The block is freed before the error function is called.
#include <stdlib.h>
extern void __VERIFIER_error(void) __attribute__((noreturn));

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    __VERIFIER_error();
}
