// expect: true or unknown
// time writes what it returns.
#include <time.h>
extern void reach_error(void);

int main(void)
{
    time_t now = 5, said = time(&now);
    if (now != said)
        reach_error();
    return 0;
}
