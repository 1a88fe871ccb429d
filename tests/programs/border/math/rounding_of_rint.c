// expect: true or unknown
// rint follows the rounding mode; trunc does not.
#include <fenv.h>
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (fesetround(FE_UPWARD) != 0)
        return 0;
    if (trunc(2.25) != 2)
        reach_error();
    return 0;
}
