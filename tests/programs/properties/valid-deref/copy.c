// expect: false
// memcpy reads behind the end.
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char a[8] = "seven..", b[4];
    unsigned n = __VERIFIER_nondet_uint();
    if (n <= 8)
        memcpy(b, a, n); // bad
    return b[0];
}
