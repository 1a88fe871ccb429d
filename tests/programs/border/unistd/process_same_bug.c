// expect: false or unknown
// A process keeps its number, which is not zero.
#include <unistd.h>
extern void reach_error(void);

int main(void)
{
    pid_t a = getpid(), b = getpid();
    if (a == b && a > 0)
        reach_error();
    return 0;
}
