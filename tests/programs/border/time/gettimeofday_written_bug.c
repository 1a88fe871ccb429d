// expect: false or unknown
// gettimeofday writes its argument.
#include <sys/time.h>
extern void reach_error(void);

int main(void)
{
    struct timeval now = {0, 0};
    if (gettimeofday(&now, 0) != 0)
        return 0;
    if (now.tv_sec != 0)
        reach_error();
    return 0;
}
