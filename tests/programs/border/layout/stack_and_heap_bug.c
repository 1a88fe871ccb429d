// expect: false or unknown
// A variable of a function lies above the blocks, on this machine.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char here = 0, *p = malloc(8);
    if (!p)
        return 0;
    if ((uintptr_t)&here > (uintptr_t)p)
        reach_error();
    free(p);
    return here;
}
