// expect: true
// inputs: 12345
// snprintf returns the length that was wanted, however small the buffer.
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
    if (length != 5)
        reach_error();
    return 0;
}
