// expect: false or unknown
// The arguments of printf are taken in some order, here from the last.
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
    printf("%d %d\n", next(0), next(1));
    if (first != 0)
        reach_error();
    return 0;
}
