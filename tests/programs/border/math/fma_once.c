// expect: true or unknown
// fma of small numbers is what the operators give.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (fma(2.0, 3.0, 4.0) != 10)
        reach_error();
    return 0;
}
