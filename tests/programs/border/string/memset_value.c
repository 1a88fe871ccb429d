// expect: true
// memset writes the lowest byte of its argument everywhere.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    int n = 7;
    memset(&n, 0x101, sizeof n);
    if (n != 0x01010101)
        reach_error();
    return 0;
}
