// expect: true or unknown
// stdin: "x"
// What is put back is read again.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int c = getchar();
    if (c == EOF || ungetc('q', stdin) != 'q')
        return 0;
    if (getchar() != 'q')
        reach_error();
    return 0;
}
