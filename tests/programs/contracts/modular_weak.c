// expect: false
// options: --modular --entry twice
// The body would do, but the contract does not say it.
#include "prova.h"

static int state;

int step(int by)
{
    prova_ensures(prova_result > 0);
    prova_assigns(state);
    state = by;
    return 1;
}

int twice(int by)
{
    prova_ensures(prova_result == 1);
    prova_assigns(state);
    return step(by);
}
