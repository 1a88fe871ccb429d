// expect: true
// %x writes small letters and no sign.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[16];
    if (snprintf(to, sizeof to, "%x", 0xabu) != 2 || to[0] != 'a')
        reach_error();
    return 0;
}
