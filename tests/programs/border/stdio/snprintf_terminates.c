// expect: true
// snprintf terminates what it wrote.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[3];
    snprintf(to, sizeof to, "%s", "abc");
    if (to[2] != 0)
        reach_error();
    return 0;
}
