// expect: true
// options: --modular
#include "prova.h"

static int state;

int step(int by)
{
    prova_requires(by >= 1 && by <= 3);
    prova_ensures(prova_result == by && state == by);
    prova_assigns(state);
    state = 0;
    for (int i = 0; i < by; i++) {
        prova_invariant(state == i && i <= by);
        state++;
    }
    return state;
}

int twice(int by)
{
    prova_requires(by == 2);
    prova_ensures(prova_result == 4);
    prova_assigns(state);
    int first = step(by);
    return first + step(by);
}
