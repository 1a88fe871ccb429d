// expect: true
// 0x alone is a zero, and the x is left.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    const char *text = "0xg";
    char *end;
    long n = strtol(text, &end, 16);
    if (n != 0 || end != text + 1)
        reach_error();
    return 0;
}
