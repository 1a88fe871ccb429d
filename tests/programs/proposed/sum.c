// function: sum
// proved: perhaps
// has: prova_requires(prova_valid
// Null is fine where there is nothing to read.
#include <stddef.h>

unsigned sum(const unsigned char *in, size_t length)
{
    unsigned total = 0;
    for (size_t i = 0; i < length; i++)
        total += in[i];
    return total;
}
