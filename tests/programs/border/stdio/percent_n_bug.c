// expect: false or unknown
// %n writes a variable.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[8];
    int n = 0;
    sprintf(to, "ab%nc", &n);
    if (n != 0)
        reach_error();
    return 0;
}
