// expect: false or unknown
// The greater of two zeros may have either sign, and here it has one of them.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    double a = fmax(0.0, -0.0), b = fmax(-0.0, 0.0);
    if (!signbit(a) || !signbit(b))
        reach_error();
    return 0;
}
