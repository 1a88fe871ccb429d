// expect: false or unknown
// A zero with precision zero is no digit at all.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[8];
    if (snprintf(to, sizeof to, "%.0d", 0) == 0)
        reach_error();
    return 0;
}
