// expect: false or unknown
// putchar gives the character as an unsigned byte.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int c = putchar(-2);
    if (c == 254)
        reach_error();
    return 0;
}
