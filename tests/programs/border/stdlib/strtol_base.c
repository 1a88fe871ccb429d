// expect: true
// Base 0 reads 0x as hexadecimal and 0 as octal.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    if (strtol("0x1f", 0, 0) != 31)
        reach_error();
    return 0;
}
