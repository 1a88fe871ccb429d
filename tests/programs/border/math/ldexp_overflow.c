// expect: true
// ldexp doubles as often as it is told.
#include <errno.h>
#include <math.h>
extern void reach_error(void);

int main(void)
{
    double x;
    errno = 0;
    x = ldexp(1.0, 3);
    if (x != 8)
        reach_error();
    return 0;
}
