// expect: false
// A remainder of rand need not be zero.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int i, any = 0;
    for (i = 0; i < 4; i++) {
        int n = rand() % 6;
        any |= n;
    }
    if (any != 0)
        reach_error();
    return 0;
}
