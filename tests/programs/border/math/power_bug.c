// expect: false or unknown
// Two to the power of ten is 1024.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (pow(2.0, 10.0) == 1024)
        reach_error();
    return 0;
}
