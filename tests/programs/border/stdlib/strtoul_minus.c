// expect: true
// strtoul takes a minus sign and wraps round.
#include <limits.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    if (strtoul("-1", 0, 10) != ULONG_MAX)
        reach_error();
    return 0;
}
