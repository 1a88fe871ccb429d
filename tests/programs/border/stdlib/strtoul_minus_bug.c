// expect: false
// strtoul takes a minus sign: the number is huge.
#include <limits.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    if (strtoul("-1", 0, 10) > 10)
        reach_error();
    return 0;
}
