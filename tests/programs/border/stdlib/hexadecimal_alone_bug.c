// expect: false
// 0x alone is a zero, and the x is not read.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    const char *text = "0xg";
    char *end;
    long n = strtol(text, &end, 16);
    if (end == text + 1)
        reach_error();
    return 0;
}
