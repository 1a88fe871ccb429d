// expect: true
// fabs of a number keeps its fraction.
#include <math.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    double x = -2.5;
    if (fabs(x) != 2.5)
        reach_error();
    return 0;
}
