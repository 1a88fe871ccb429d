// expect: true or unknown
// A zero with precision one is one digit.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[8];
    if (snprintf(to, sizeof to, "%.1d", 0) != 1)
        reach_error();
    return 0;
}
