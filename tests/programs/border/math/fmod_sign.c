// expect: true
// fmod has the sign of its first argument.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (fmod(-7.5, 2.0) != -1.5)
        reach_error();
    return 0;
}
