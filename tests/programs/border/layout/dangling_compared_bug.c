// expect: false or unknown
// A pointer that was freed is compared with a new block, and may be equal.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *old = malloc(sizeof *old), *new;
    if (!old)
        return 0;
    free(old);
    new = malloc(sizeof *new);
    if (new && new == old)
        reach_error();
    free(new);
    return 0;
}
