// expect: true
// stdin: "\377"
// getchar returns a byte or -1, and nothing else.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int c = getchar();
    char narrow = (char)c;
    if (c < -1 || c > 255)
        reach_error();
    return 0;
}
