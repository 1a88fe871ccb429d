// expect: true or unknown
// aligned_alloc aligns as it is told.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = aligned_alloc(4096, 4096);
    if (p && (uintptr_t)p % 4096 != 0)
        reach_error();
    free(p);
    return 0;
}
