// expect: unknown
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *a = malloc(3), *b = malloc(3);
    if (!a || !b)
        return 0;
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    if ((x & ~(uintptr_t)0xfff) == (y & ~(uintptr_t)0xfff))
        reach_error();
    return 0;
}
