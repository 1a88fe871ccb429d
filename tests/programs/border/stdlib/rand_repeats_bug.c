// expect: false or unknown
// The same seed gives the same numbers: these are equal.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int a, b;
    srand(7);
    a = rand();
    srand(7);
    b = rand();
    if (a == b)
        reach_error();
    return 0;
}
