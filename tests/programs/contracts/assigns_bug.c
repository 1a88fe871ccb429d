// expect: false
// options: --entry bump
// It writes more than it says.
#include "prova.h"

static int count, total;

void bump(int by)
{
    prova_requires(by >= 0 && by < 10);
    prova_assigns(count);
    count = by;
    total = by;
}
