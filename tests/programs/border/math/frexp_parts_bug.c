// expect: false
// frexp writes the exponent.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    int exponent = 0;
    double fraction = frexp(8.0, &exponent);
    if (exponent == 4)
        reach_error();
    return 0;
}
