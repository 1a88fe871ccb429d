// expect: false or unknown
// The three streams are not null.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    if (stdout && stderr)
        reach_error();
    return 0;
}
