// expect: true or unknown
// The three streams are not null and not the same.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    if (!stdin || stdin == stdout)
        reach_error();
    return 0;
}
