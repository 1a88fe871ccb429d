// expect: false
// inputs: 200, 3
// memcmp may return more than one: glibc gives the difference of the bytes.
#include <string.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char a[1], b[1];
    int order;
    a[0] = __VERIFIER_nondet_uchar();
    b[0] = __VERIFIER_nondet_uchar();
    order = memcmp(a, b, 1);
    if (order > 1)
        reach_error();
    return 0;
}
