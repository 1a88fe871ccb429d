// expect: true
// inputs: 200, 3
// Only the sign of what memcmp returns is asked.
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
    if (order > 0 && a[0] <= b[0])
        reach_error();
    return 0;
}
