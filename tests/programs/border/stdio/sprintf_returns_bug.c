// expect: false
// sprintf returns how many characters it wrote.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[16];
    int n = sprintf(to, "%s-%c", "abc", 'x');
    if (n != 6)
        reach_error();
    return 0;
}
