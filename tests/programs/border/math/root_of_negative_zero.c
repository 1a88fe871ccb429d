// expect: true or unknown
// The root of a zero is a zero.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    double root = sqrt(-0.0);
    if (root != 0)
        reach_error();
    return 0;
}
