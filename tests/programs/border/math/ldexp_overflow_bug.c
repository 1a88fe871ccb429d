// expect: false
// ldexp overflows to infinity and sets errno.
#include <errno.h>
#include <math.h>
extern void reach_error(void);

int main(void)
{
    double x;
    errno = 0;
    x = ldexp(1.0, 3000);
    if (isinf(x) && errno == ERANGE)
        reach_error();
    return 0;
}
