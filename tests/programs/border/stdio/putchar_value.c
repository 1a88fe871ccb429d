// expect: true or unknown
// putchar gives the character as an unsigned byte, or -1.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int c = putchar(-2);
    if (c != 254 && c != EOF)
        reach_error();
    return 0;
}
