// expect: true or unknown
// gettimeofday writes its argument: a time of day is below a million microseconds.
#include <sys/time.h>
extern void reach_error(void);

int main(void)
{
    struct timeval now = {0, 0};
    if (gettimeofday(&now, 0) != 0)
        return 0;
    if (now.tv_usec < 0 || now.tv_usec > 999999)
        reach_error();
    return 0;
}
