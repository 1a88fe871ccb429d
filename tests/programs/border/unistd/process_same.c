// expect: true or unknown
// A process keeps its number.
#include <unistd.h>
extern void reach_error(void);

int main(void)
{
    pid_t a = getpid(), b = getpid();
    if (a != b)
        reach_error();
    return 0;
}
