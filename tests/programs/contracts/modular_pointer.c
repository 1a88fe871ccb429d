// expect: false
// options: --modular --entry user
// A pointer that a callee leaves behind may lead to a variable: its body counts, not its contract.
#include "prova.h"

static int cell;
static int *place;

void set(void)
{
    prova_assigns(place);
    place = &cell;
}

int user(void)
{
    prova_ensures(prova_result == 1);
    cell = 1;
    set();
    *place = 2;
    return cell;
}
