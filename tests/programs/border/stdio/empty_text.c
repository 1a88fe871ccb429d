// expect: true or unknown
// Of an empty text nothing is read.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int n = 4;
    int got = sscanf("", "%d", &n);
    if (n != 4 || got > 0)
        reach_error();
    return 0;
}
