// expect: true
// round takes halves away from zero, rint to the even number.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (round(2.5) != 3 || rint(2.5) != 2)
        reach_error();
    return 0;
}
