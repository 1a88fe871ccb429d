// expect: false or unknown
// property: no-uninit-read
// bits: 64
// A block of malloc has no contents.
#include <stdlib.h>

int main(void)
{
    int r, *p = malloc(sizeof *p);
    if (!p)
        return 1;
    r = 0;
    if (*p == 5)
        r = 1;
    free(p);
    return r;
}
