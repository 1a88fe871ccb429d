// expect: false or unknown
// What a new block contains is left open, and may be zero.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    if (*p == 0)
        reach_error();
    free(p);
    return 0;
}
