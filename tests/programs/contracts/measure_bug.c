// expect: false
// options: --property unreach-call
// shows: the measure `room` does not decrease
// It stays the same in the rounds that take nothing.
#include "prova.h"

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int room = 10;
    while (room > 0) {
        prova_decreases(room);
        if (__VERIFIER_nondet_int())
            room--;
    }
    return 0;
}
