// expect: unknown
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    uintptr_t x = (uintptr_t)malloc(1), y = (uintptr_t)malloc(1);
    if (x && y && x > y)
        reach_error();
    return 0;
}
