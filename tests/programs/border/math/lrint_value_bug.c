// expect: false
// lrint rounds to even in the usual mode, so three and a half becomes four.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (lrint(3.5) == 4)
        reach_error();
    return 0;
}
