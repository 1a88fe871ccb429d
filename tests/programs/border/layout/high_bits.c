// expect: true or unknown
// bits: 64
// An address is not null.
#include <stdint.h>
extern void reach_error(void);
static int x;

int main(void)
{
    uint64_t n = (uint64_t)&x;
    if (n == 0)
        reach_error();
    return 0;
}
