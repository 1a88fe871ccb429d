// expect: true or unknown
// modf of infinity has no fraction.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    double whole, rest = modf(-INFINITY, &whole);
    if (rest != 0 || !isinf(whole))
        reach_error();
    return 0;
}
