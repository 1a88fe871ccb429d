// expect: true
// rand is not negative.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int n = rand();
    if (n < 0)
        reach_error();
    return 0;
}
