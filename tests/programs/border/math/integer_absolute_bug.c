// expect: false
// abs takes an int: the fraction is lost.
#include <math.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    double x = -2.5;
    if (abs(x) == 2)
        reach_error();
    return 0;
}
