// expect: false or unknown
// stdin: "17 -4"
// Two numbers are read from the input.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int a = 0, b = 0;
    int got = scanf("%d %d", &a, &b);
    if (got == 2 && a == 17 && b == -4)
        reach_error();
    return 0;
}
