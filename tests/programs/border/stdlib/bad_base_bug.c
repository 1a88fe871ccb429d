// expect: false or unknown
// Base one is refused with errno.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    long n;
    errno = 0;
    n = strtol("1", 0, 1);
    if (errno == EINVAL && n == 0)
        reach_error();
    return 0;
}
