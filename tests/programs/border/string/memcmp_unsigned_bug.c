// expect: false
// memcmp compares unsigned bytes, although the arrays are of signed ones.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    signed char a[2] = {1, -128}, b[2] = {1, 127};
    if (memcmp(a, b, 2) > 0)
        reach_error();
    return 0;
}
