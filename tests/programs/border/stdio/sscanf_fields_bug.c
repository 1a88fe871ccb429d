// expect: false
// sscanf reads both numbers, and says how many.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int a = 0, b = 0;
    int got = sscanf("12,-3", "%d,%d", &a, &b);
    if (got == 2 && a + b == 9)
        reach_error();
    return 0;
}
