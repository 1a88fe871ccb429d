// expect: true
// options: --entry find
#include "prova.h"
#include <limits.h>
#include <stddef.h>

int find(const char *in, size_t length, char wanted)
{
    prova_requires(length <= 3);
    prova_requires(prova_valid_read(in, length));
    prova_ensures(prova_result >= -1 && prova_result < (int)length);
    prova_assigns();
    for (size_t i = 0; i < length; i++) {
        prova_invariant(i <= length);
        prova_decreases(length - i);
        if (in[i] == wanted)
            return (int)i;
    }
    return -1;
}
