// expect: true or unknown
// There is a number next to one, and it is greater.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (nextafter(1.0, 2.0) <= 1.0)
        reach_error();
    return 0;
}
