// expect: false or unknown
// Two addresses that are mixed are not zero.
#include <stdint.h>
extern void reach_error(void);
static int a = 1, b = 2;

int main(void)
{
    uintptr_t mixed = (uintptr_t)&a ^ (uintptr_t)&b;
    if (mixed != 0)
        reach_error();
    return 0;
}
