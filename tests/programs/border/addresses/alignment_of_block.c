// expect: true
// Blocks are aligned for every type.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *a = malloc(3), *b = malloc(3);
    if (!a || !b)
        return 0;
    if (((uintptr_t)a & 7) || (uintptr_t)b % 8)
        reach_error();
    return 0;
}
