// expect: false or unknown
// A call that succeeds does not clear errno.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    long n;
    errno = ERANGE;
    n = strtol("12", 0, 10);
    if (errno == ERANGE && n == 12)
        reach_error();
    return 0;
}
