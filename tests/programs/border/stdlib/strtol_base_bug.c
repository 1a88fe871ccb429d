// expect: false
// Base 0 reads a leading zero as octal.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    if (strtol("017", 0, 0) != 17)
        reach_error();
    return 0;
}
