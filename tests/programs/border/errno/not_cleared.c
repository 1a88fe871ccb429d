// expect: true or unknown
// errno is cleared before the call that is asked about.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    long n;
    errno = ERANGE;
    errno = 0;
    n = strtol("12", 0, 10);
    if (errno == ERANGE && n == 12)
        reach_error();
    return 0;
}
