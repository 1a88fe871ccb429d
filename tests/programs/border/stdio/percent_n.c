// expect: true or unknown
// %n writes how many characters were printed before it.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[8];
    int n = 0;
    sprintf(to, "ab%nc", &n);
    if (n != 2)
        reach_error();
    return 0;
}
