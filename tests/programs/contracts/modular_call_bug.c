// expect: false
// options: --modular --entry twice
// The call does not keep to what is required.
#include "prova.h"

static int state;

int step(int by)
{
    prova_requires(by >= 1);
    prova_ensures(state == by);
    prova_assigns(state);
    state = by;
    return state;
}

int twice(int by)
{
    prova_requires(by >= 0);
    prova_assigns(state);
    return step(by);
}
