// expect: true or unknown
// stdin: "x"
// What is no number is not stored.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int n = 3;
    int got = scanf("%d", &n);
    if (got != 1 && n != 3)
        reach_error();
    return 0;
}
