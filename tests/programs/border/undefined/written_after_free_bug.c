// expect: false or unknown
// A new block is written through the pointer to the block that was there before.
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
    *old = 2;
    if (*new != 1)
        reach_error();
    free(new);
    return 0;
}
