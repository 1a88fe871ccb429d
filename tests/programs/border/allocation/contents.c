// expect: true or unknown
// property: no-uninit-read
// bits: 64
// A block is filled before it is read.
#include <stdlib.h>

int main(void)
{
    int r, *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 3;
    r = 0;
    if (*p == 5)
        r = 1;
    free(p);
    return r;
}
