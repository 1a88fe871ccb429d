// expect: true or unknown
// What is printed is taken before, in order.
#include <stdio.h>
extern void reach_error(void);
static int n, first = -1;

static int next(int who)
{
    if (first < 0)
        first = who;
    return n++;
}
int main(void)
{
    int a = next(0), b = next(1);
    printf("%d %d\n", a, b);
    if (first != 0)
        reach_error();
    return 0;
}
