// expect: true or unknown
// Two addresses that are mixed can be told apart again.
#include <stdint.h>
extern void reach_error(void);
static int a = 1, b = 2;

int main(void)
{
    uintptr_t mixed = (uintptr_t)&a ^ (uintptr_t)&b;
    if (*(int *)(mixed ^ (uintptr_t)&a) != 2)
        reach_error();
    return 0;
}
