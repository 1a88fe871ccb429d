// expect: false or unknown
// stdin: "x"
// What is no number is not stored, and the count says so.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int n = 3;
    int got = scanf("%d", &n);
    if (got == 0 && n == 3)
        reach_error();
    return 0;
}
