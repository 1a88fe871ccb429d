// expect: false or unknown
// printf with %n writes its argument, too.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int n = 9, other = 9;
    printf("abc%n\n", &n);
    if (n == 3 && other == 9)
        reach_error();
    return 0;
}
