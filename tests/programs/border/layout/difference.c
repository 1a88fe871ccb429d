// expect: true or unknown
// bits: 64
// The distance of two places of one object is known.
#include <stdint.h>
extern void reach_error(void);
static char a[16], b[16];

int main(void)
{
    intptr_t apart = (intptr_t)b - (intptr_t)a;
    if ((intptr_t)(a + 5) - (intptr_t)a != 5)
        reach_error();
    return apart == 0;
}
