// expect: false or unknown
// Of an empty text sscanf returns -1, not zero.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int n = 4;
    int got = sscanf("", "%d", &n);
    if (got < 0)
        reach_error();
    return 0;
}
