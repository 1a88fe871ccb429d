// expect: true
// A block that is freed may be the next one that is allocated.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *before = malloc(sizeof *before), *after;
    if (!before)
        return 0;
    *before = 3;
    after = malloc(sizeof *after);
    if (!after)
        return 0;
    *after = 5;
    if (*before != 3)
        reach_error();
    return 0;
}
