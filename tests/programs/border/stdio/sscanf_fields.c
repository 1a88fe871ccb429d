// expect: true
// sscanf reads both numbers.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int a = 0, b = 0;
    int got = sscanf("12,-3", "%d,%d", &a, &b);
    if (got != 2 || a != 12 || b != -3)
        reach_error();
    return 0;
}
