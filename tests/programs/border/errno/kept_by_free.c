// expect: true or unknown
// What failed is remembered in a variable.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int kept;
    errno = 0;
    strtol("99999999999999999999999", 0, 10);
    kept = errno;
    if (kept != ERANGE)
        reach_error();
    return 0;
}
