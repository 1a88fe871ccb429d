// expect: true
// options: --property valid-deref
// The invariant is true and not inductive by itself: that `write` stays behind `read` is learned.
#include "prova.h"

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int kept[16];
    int write = 0;
    for (int read = 0; read < 16; read++) {
        prova_invariant(write <= 16);
        int value = __VERIFIER_nondet_int();
        if (value > 0) {
            kept[write] = value;
            write++;
        }
    }
    return write > 0 ? kept[0] > 0 : 0;
}
