// expect: false or unknown
// modf of minus infinity has a negative zero for its fraction.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    double whole, rest = modf(-INFINITY, &whole);
    if (signbit(rest))
        reach_error();
    return 0;
}
