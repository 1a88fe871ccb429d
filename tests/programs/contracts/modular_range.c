// expect: true
// options: --modular
// How much the callee writes is a parameter: so much holds anything behind the call, and no more.
#include "prova.h"
#include <stddef.h>

static int slots[8];

void clear(int *from, size_t count)
{
    prova_requires(count <= 8);
    prova_requires(prova_valid(from, count));
    prova_assigns(prova_range(from, count));
    if (count > 0)
        *from = 0;
}

int user(void)
{
    prova_ensures(prova_result == 5);
    prova_assigns(prova_range(slots, 8));
    slots[7] = 5;
    clear(slots, 2);
    return slots[7];
}
