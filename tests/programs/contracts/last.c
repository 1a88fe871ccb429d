// expect: true
// options: --entry last --property valid-deref
#include "prova.h"
#include <stddef.h>

int last(const int *in, size_t length)
{
    prova_requires(length >= 1 && length <= 4);
    prova_requires(prova_valid_read(in, length));
    return in[length - 1];
}
