// expect: false
// options: --modular --entry user
// What the callee may write is not what it was.
#include "prova.h"

static int state;

void touch(int by)
{
    prova_assigns(state);
    if (by > 7)
        state = by;
}

int user(void)
{
    prova_ensures(prova_result == 3);
    prova_assigns(state);
    state = 3;
    touch(1);
    return state;
}
