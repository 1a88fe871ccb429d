// expect: false
// round and rint differ at two and a half.
#include <math.h>
extern void reach_error(void);

int main(void)
{
    if (round(2.5) != rint(2.5))
        reach_error();
    return 0;
}
