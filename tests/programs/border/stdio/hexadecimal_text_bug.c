// expect: false
// %x writes a negative number as a large one: eight digits.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[16];
    if (snprintf(to, sizeof to, "%x", -1) == 8)
        reach_error();
    return 0;
}
