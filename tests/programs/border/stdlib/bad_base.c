// expect: true or unknown
// Base 36 has letters up to z.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    long n;
    errno = 0;
    n = strtol("z", 0, 36);
    if (n != 35)
        reach_error();
    return 0;
}
