// expect: false or unknown
// A hash of an address may be any: nothing is known but its alignment.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(16);
    unsigned slot = (unsigned)((uintptr_t)p >> 4) % 7;
    free(p);
    if (slot != 0 || (uintptr_t)p % 256 != 0)
        reach_error();
    return 0;
}
