// expect: true or unknown
// A field is skipped, hexadecimal digits are read, and a set of letters.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int n = 0;
    unsigned x = 0;
    char word[4] = "";
    int got = sscanf("7 ff abc9", "%*d %x %3[a-z]%n", &x, word, &n);
    if (got != 2 || x != 255 || word[0] != 'a')
        reach_error();
    return 0;
}
