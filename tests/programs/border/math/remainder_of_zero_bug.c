// expect: false or unknown
// A remainder by zero is no number.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (isnan(fmod(5.5, 0.0)))
        reach_error();
    return 0;
}
