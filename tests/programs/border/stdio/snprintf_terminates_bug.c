// expect: false
// snprintf cuts the text to leave room for the terminator.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[3];
    snprintf(to, sizeof to, "%s", "abc");
    if (to[2] != 'c')
        reach_error();
    return 0;
}
