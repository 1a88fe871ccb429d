// expect: true or unknown
// %hhd prints the lowest byte.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[8];
    int n = snprintf(to, sizeof to, "%hhd", 300);
    if (n != 2)
        reach_error();
    return 0;
}
