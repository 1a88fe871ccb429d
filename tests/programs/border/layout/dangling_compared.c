// expect: true or unknown
// A pointer that was freed is set to null before it is compared.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *old = malloc(sizeof *old), *new;
    if (!old)
        return 0;
    free(old);
    old = 0;
    new = malloc(sizeof *new);
    if (new && new == old)
        reach_error();
    free(new);
    return 0;
}
