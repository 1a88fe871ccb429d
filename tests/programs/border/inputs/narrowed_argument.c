// expect: true
// inputs: 256
// memset takes the lowest byte of its argument.
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char v[2] = {9, 9};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        return 0;
    memset(v, n, 2);
    if (v[0] != (n & 255))
        reach_error();
    return 0;
}
