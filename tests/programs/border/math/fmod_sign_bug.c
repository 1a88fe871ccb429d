// expect: false
// fmod has the sign of its first argument, here a minus.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (fmod(-7.5, 2.0) < 0)
        reach_error();
    return 0;
}
