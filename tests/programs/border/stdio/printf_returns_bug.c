// expect: false or unknown
// printf returns the number of bytes.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int n = printf("%03d\n", 7);
    if (n == 4)
        reach_error();
    return 0;
}
