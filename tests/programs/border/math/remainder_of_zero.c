// expect: true or unknown
// A remainder by infinity is the number itself.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (fmod(5.5, INFINITY) != 5.5)
        reach_error();
    return 0;
}
