// expect: true
// Flags, width and precision of an integer.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char to[16];
    snprintf(to, sizeof to, "%-4d|%+d", 7, 7);
    if (strcmp(to, "7   |+7") != 0)
        reach_error();
    return 0;
}
