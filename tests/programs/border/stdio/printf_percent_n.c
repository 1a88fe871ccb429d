// expect: true or unknown
// printf with %n writes its argument, and nothing else.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int n = 9, other = 9;
    printf("abc%n\n", &n);
    if (other != 9)
        reach_error();
    return 0;
}
