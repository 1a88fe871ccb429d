// expect: false
// A byte behind the beginning is not aligned.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(32);
    if (!p)
        return 0;
    if ((uintptr_t)(p + 1) % 2 != 0)
        reach_error();
    free(p);
    return 0;
}
