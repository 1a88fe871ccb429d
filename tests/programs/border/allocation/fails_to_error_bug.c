// expect: false
// allocations: fail 1
// An allocation may fail.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(1);
    if (!p)
        reach_error();
    free(p);
    return 0;
}
