// expect: false or unknown
// errno is overwritten by the next call that fails.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int kept;
    errno = 0;
    strtol("99999999999999999999999", 0, 10);
    kept = errno;
    errno = EDOM;
    if (errno != kept)
        reach_error();
    return 0;
}
