// expect: true or unknown
// A mark in the lowest bit is taken away before the access.
#include <stdint.h>
extern void reach_error(void);

int main(void)
{
    static int x = 4;
    uintptr_t tagged = (uintptr_t)&x | 1;
    if (*(int *)(tagged & ~(uintptr_t)1) != 4)
        reach_error();
    return 0;
}
