// expect: true
// Out of range, strtol returns the limit and sets errno.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    long n;
    errno = 0;
    n = strtol("99999999999999999999", 0, 10);
    if (n != LONG_MAX || errno != ERANGE)
        reach_error();
    return 0;
}
