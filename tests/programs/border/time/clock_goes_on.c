// expect: true or unknown
// Two readings of the clock may be anything.
#include <time.h>
extern void reach_error(void);

int main(void)
{
    time_t a = time(0), b = time(0);
    if (a < b && b < a)
        reach_error();
    return 0;
}
