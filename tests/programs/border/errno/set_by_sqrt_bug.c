// expect: false or unknown
// The root of a negative number sets errno.
#include <errno.h>
#include <math.h>
extern void reach_error(void);

int main(void)
{
    double x;
    errno = 0;
    x = sqrt(-4.0);
    if (errno == EDOM || x == 1)
        reach_error();
    return 0;
}
