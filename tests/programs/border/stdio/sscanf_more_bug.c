// expect: false or unknown
// %n of sscanf writes how far it read.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int n = 0;
    unsigned x = 0;
    char word[4] = "";
    int got = sscanf("7 ff abc9", "%*d %x %3[a-z]%n", &x, word, &n);
    if (got == 2 && n == 8)
        reach_error();
    return 0;
}
