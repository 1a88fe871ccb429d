// expect: true or unknown
// A variable and a block are not the same.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char here = 0, *p = malloc(8);
    if (!p)
        return 0;
    if (p == &here)
        reach_error();
    free(p);
    return here;
}
