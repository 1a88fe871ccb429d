// expect: true or unknown
// A block of no bytes is null or a pointer of its own.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(0), *q = malloc(0);
    if (p && p == q)
        reach_error();
    free(p);
    free(q);
    return 0;
}
