// expect: true
// sprintf returns how many characters it wrote, without the terminator.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char to[16];
    int n = sprintf(to, "%s-%c", "abc", 'x');
    if (n != 5 || to[4] != 'x')
        reach_error();
    return 0;
}
