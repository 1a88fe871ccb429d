// expect: true or unknown
// lrint rounds to even in the usual mode.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (lrint(2.5) != 2)
        reach_error();
    return 0;
}
