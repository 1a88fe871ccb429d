// expect: false or unknown
// The root of a negative zero is a negative zero.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    double root = sqrt(-0.0);
    if (signbit(root))
        reach_error();
    return 0;
}
