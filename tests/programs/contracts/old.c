// expect: true
// options: --entry bump
#include "prova.h"

static int count;

int bump(int by)
{
    prova_requires(by >= 0 && by < 10 && count >= 0 && count < 1000);
    prova_ensures(count == prova_old(count) + by);
    prova_ensures(prova_result == prova_old(count));
    prova_assigns(count);
    int before = count;
    count += by;
    return before;
}
