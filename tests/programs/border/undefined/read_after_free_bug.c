// expect: false or unknown
// The value is read after the block was freed: the allocator has written there.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int seen, *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 3;
    free(p);
    seen = *p;
    if (seen != 3)
        reach_error();
    return 0;
}
