// expect: false or unknown
// bits: 64
// An address need not fit into 32 bits.
#include <stdint.h>
extern void reach_error(void);
static int x;

int main(void)
{
    uint64_t n = (uint64_t)&x;
    if (n != (uint32_t)n)
        reach_error();
    return 0;
}
