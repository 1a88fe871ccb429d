// expect: true or unknown
// modfl splits a long double.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    long double whole = 0, rest = modfl(2.5L, &whole);
    if (whole + rest != 2.5L)
        reach_error();
    return 0;
}
