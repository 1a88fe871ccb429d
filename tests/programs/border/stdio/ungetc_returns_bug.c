// expect: false or unknown
// stdin: "x"
// What is put back is read again, another character than the one before.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int c = getchar();
    if (c == EOF || ungetc('q', stdin) != 'q')
        return 0;
    if (getchar() != c && c == 'x')
        reach_error();
    return 0;
}
