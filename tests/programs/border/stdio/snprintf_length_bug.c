// expect: false
// inputs: 12345
// snprintf returns the length that was wanted, which may be larger than the buffer.
#include <stdio.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char to[4];
    int n = __VERIFIER_nondet_int(), length;
    if (n < 10000 || n > 99999)
        return 0;
    length = snprintf(to, sizeof to, "%d", n);
    if (length >= (int)sizeof to)
        reach_error();
    return 0;
}
