// expect: false
// Freed under another condition than allocated.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    char *p = 0;
    if (n >= 0)
        p = malloc(1);
    if (n > 0)
        free(p);
    return 0;
} // bad
