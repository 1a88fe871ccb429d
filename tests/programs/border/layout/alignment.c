// expect: true
// A block of malloc is aligned for every type.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(32);
    if (!p)
        return 0;
    if ((uintptr_t)p % 8 != 0)
        reach_error();
    free(p);
    return 0;
}
