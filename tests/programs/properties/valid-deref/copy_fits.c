// expect: true
// memcpy stays inside.
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char a[8] = "seven..", b[8];
    unsigned n = __VERIFIER_nondet_uint();
    if (n <= 3)
        memcpy(b, a, n);
    memcpy(b + 4, a, 4);
    return 0;
}
