// expect: true or unknown
// The value is read before the block is freed.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int seen, *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 3;
    seen = *p;
    free(p);
    if (seen != 3)
        reach_error();
    return 0;
}
