// expect: false
// stdin: "\377"
// getchar returns bytes up to 255, which a char takes for the end.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int c = getchar();
    char narrow = (char)c;
    if (narrow == EOF && c != EOF)
        reach_error();
    return 0;
}
