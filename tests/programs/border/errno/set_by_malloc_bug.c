// expect: false or unknown
// allocations: fail 1
// An allocation that fails sets errno.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p;
    errno = 0;
    p = malloc(10);
    if (!p && errno == ENOMEM)
        reach_error();
    free(p);
    return 0;
}
