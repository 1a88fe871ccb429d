// expect: false
// A precision makes leading zeros, a width makes spaces.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char to[16];
    snprintf(to, sizeof to, "%5.3d", 7);
    if (strcmp(to, "  007") == 0)
        reach_error();
    return 0;
}
