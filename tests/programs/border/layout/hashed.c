// expect: true or unknown
// A hash of an address is below the number of slots.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(16);
    unsigned slot = (unsigned)((uintptr_t)p >> 4) % 7;
    free(p);
    if (slot > 6)
        reach_error();
    return 0;
}
