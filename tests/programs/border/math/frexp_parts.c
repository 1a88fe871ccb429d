// expect: true
// frexp gives a fraction from a half to one, and the exponent.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    int exponent = 0;
    double fraction = frexp(8.0, &exponent);
    if (fraction != 0.5 || exponent != 4)
        reach_error();
    return 0;
}
