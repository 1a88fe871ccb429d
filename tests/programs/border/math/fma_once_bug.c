// expect: false or unknown
// fma rounds once: the last bit is not lost on the way.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    double e = 1.0 / 134217728;
    if (fma(1 + e, 1 - e, -1.0) != 0)
        reach_error();
    return 0;
}
