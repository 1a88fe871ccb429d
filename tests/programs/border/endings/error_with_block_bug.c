// expect: false
// property: valid-memcleanup
// The error function ends the program while a block is allocated.
#include <stdlib.h>
extern void __VERIFIER_error(void) __attribute__((noreturn));

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    __VERIFIER_error();
}
