// expect: true
// allocations: fail 1
// An allocation that fails gives null and nothing else.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(1);
    if (p && !p)
        reach_error();
    free(p);
    return 0;
}
