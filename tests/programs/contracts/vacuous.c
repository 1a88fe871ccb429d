// expect: true
// options: --entry never
// Nobody can keep to what is required: the verdict says that it is vacuous.
#include "prova.h"

int never(int x, int y)
{
    prova_requires(x > 3);
    prova_requires(y > 0);
    prova_requires(x < 2);
    prova_ensures(prova_result == 7);
    return x;
}
