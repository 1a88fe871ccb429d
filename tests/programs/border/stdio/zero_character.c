// expect: true
// %c writes a zero byte as well, and counts it.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char to[8];
    int n = snprintf(to, sizeof to, "a%cb", 0);
    if (n != 3 || to[2] != 'b')
        reach_error();
    return 0;
}
