// expect: true
// options: --property termination
// Neither number falls in every round; what the user says does.
#include "prova.h"

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int left = __VERIFIER_nondet_int();
    _Bool half = __VERIFIER_nondet_int();
    if (left > 1000)
        return 0;
    while (left > 0) {
        prova_decreases(2 * left + half);
        if (half) {
            half = 0;
        } else {
            half = 1;
            left -= 1;
        }
    }
    return 0;
}
