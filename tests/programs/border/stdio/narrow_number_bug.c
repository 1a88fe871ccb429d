// expect: false or unknown
// %hhd prints the lowest byte: 300 becomes 44.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[8];
    int n = snprintf(to, sizeof to, "%hhd", 300);
    if (to[0] == '4' && to[1] == '4')
        reach_error();
    return 0;
}
