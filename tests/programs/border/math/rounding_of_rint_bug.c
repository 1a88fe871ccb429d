// expect: false or unknown
// rint follows the rounding mode.
#include <fenv.h>
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (fesetround(FE_UPWARD) != 0)
        return 0;
    if (rint(2.25) == 3)
        reach_error();
    return 0;
}
