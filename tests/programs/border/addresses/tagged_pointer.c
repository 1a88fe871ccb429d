// expect: true or unknown
// The lowest bits of a block's address are free for others.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *a = malloc(sizeof(int));
    if (!a)
        return 0;
    *a = 5;
    uintptr_t n = (uintptr_t)a;
    n |= 1;
    if (*(int *)(n & ~(uintptr_t)1) != 5)
        reach_error();
    return 0;
}
