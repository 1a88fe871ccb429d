// expect: true
// Blocks that live at once have two addresses.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *a = malloc(4);
    int *b = malloc(4);
    if (!a || !b)
        return 0;
    if (a == b)
        reach_error();
    free(a);
    free(b);
    return 0;
}
