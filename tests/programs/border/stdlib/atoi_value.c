// expect: true
// atoi reads the digits at the front.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    if (atoi("42abc") != 42)
        reach_error();
    return 0;
}
