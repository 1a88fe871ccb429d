// expect: false or unknown
// not shown by gcc: it depends on the time that passes
// Two readings of the clock need not be equal.
#include <time.h>
extern void reach_error(void);

int main(void)
{
    time_t a = time(0), b = time(0);
    if (a != b)
        reach_error();
    return 0;
}
