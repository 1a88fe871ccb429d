// expect: false
// options: --property valid-deref
// shows: the invariant `i < 8` does not hold
// No access is wrong, but the invariant is, when the loop ends.
#include "prova.h"

int main(void)
{
    int all[8];
    for (int i = 0; i < 8; i++) {
        prova_invariant(i < 8);
        all[i] = i;
    }
    return all[7];
}
