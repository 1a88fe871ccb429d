// expect: true or unknown
// The greater of two zeros is a zero, of some sign.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    double a = fmax(0.0, -0.0), b = fmax(-0.0, 0.0);
    if (a != 0 || b != 0)
        reach_error();
    return 0;
}
