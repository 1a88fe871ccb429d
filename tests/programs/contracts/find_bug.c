// expect: false
// options: --entry find
// One element too far: the block has as many as the contract says.
#include "prova.h"
#include <stddef.h>

int find(const char *in, size_t length, char wanted)
{
    prova_requires(length <= 3);
    prova_ensures(prova_result < (int)length);
    for (size_t i = 0; i <= length; i++) {
        if (i == 2)
            return (int)i;
    }
    return -1;
}
