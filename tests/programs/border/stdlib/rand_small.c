// expect: true
// A remainder of rand is below the divisor, and not negative.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int i, any = 0;
    for (i = 0; i < 4; i++) {
        int n = rand() % 6;
        if (n < 0 || n > 5)
            reach_error();
        any |= n;
    }
    return 0;
}
