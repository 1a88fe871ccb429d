// expect: false
// %c writes a zero byte as well, so the text ends before its length.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char to[8];
    int n = snprintf(to, sizeof to, "a%cb", 0);
    if (n != (int)strlen(to))
        reach_error();
    return 0;
}
