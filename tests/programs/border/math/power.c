// expect: true or unknown
// Anything to the power of zero is one.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (pow(3.0, 0.0) != 1)
        reach_error();
    return 0;
}
