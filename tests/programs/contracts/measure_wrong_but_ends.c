// expect: true
// options: --property termination
// A measure that is none does no harm: the loop ends all the same, by another one.
#include "prova.h"

int main(void)
{
    int i = 0, up = 0;
    while (i < 50) {
        prova_decreases(up);
        up += 3;
        i++;
    }
    return 0;
}
