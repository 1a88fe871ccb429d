extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x == 5)
        exit(3);
    if (x == 5)
        return 1;
    return 0;
}
