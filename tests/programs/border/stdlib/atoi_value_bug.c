// expect: false
// atoi reads the digits at the front and gives no error for the rest.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    if (atoi("42abc") != 0)
        reach_error();
    return 0;
}
