// expect: true or unknown
// Two blocks lie in one order or in the other.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *a = malloc(24), *b = malloc(24);
    if (!a || !b)
        return 0;
    if ((uintptr_t)a < (uintptr_t)b && (uintptr_t)b < (uintptr_t)a)
        reach_error();
    return 0;
}
