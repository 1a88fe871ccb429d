// expect: true or unknown
// stdin: "17 -4"
// Two numbers are stored if two are reported.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int a = 0, b = 0;
    int got = scanf("%d %d", &a, &b);
    if (got == 0 && (a != 0 || b != 0))
        reach_error();
    return 0;
}
