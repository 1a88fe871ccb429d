// expect: true
// memcmp compares unsigned bytes: 0x80 is greater than 0x7f.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    signed char a[2] = {1, -128}, b[2] = {1, 127};
    if (memcmp(a, b, 2) <= 0)
        reach_error();
    return 0;
}
