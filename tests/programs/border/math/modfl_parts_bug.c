// expect: false or unknown
// modfl writes the whole part of a long double.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    long double whole = 0, rest = modfl(2.5L, &whole);
    if (whole == 2 && rest == 0.5L)
        reach_error();
    return 0;
}
