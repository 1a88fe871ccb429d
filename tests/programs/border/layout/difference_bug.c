// expect: false or unknown
// bits: 64
// The distance of two objects is not known, and not this.
#include <stdint.h>
extern void reach_error(void);
static char a[16], b[16];

int main(void)
{
    intptr_t apart = (intptr_t)b - (intptr_t)a;
    if (apart < 4096 && apart > -4096)
        reach_error();
    return apart == 0;
}
