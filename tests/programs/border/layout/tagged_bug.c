// expect: false or unknown
// A mark in the lowest bit is seen again.
#include <stdint.h>
extern void reach_error(void);

int main(void)
{
    static int x = 4;
    uintptr_t tagged = (uintptr_t)&x | 1;
    if ((tagged & 1) && *(int *)(tagged - 1) == 4)
        reach_error();
    return 0;
}
