// expect: true or unknown
// A new block is written by its own pointer.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *old = malloc(sizeof *old), *new;
    if (!old)
        return 0;
    free(old);
    new = malloc(sizeof *new);
    if (!new)
        return 0;
    *new = 1;
    *new = 1;
    if (*new != 1)
        reach_error();
    free(new);
    return 0;
}
