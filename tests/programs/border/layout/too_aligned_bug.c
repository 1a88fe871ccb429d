// expect: false or unknown
// A block of malloc is not aligned to a page.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(4096);
    if (p && (uintptr_t)p % 4096 != 0)
        reach_error();
    free(p);
    return 0;
}
