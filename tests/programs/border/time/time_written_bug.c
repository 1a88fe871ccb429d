// expect: false or unknown
// time writes its argument.
#include <time.h>
extern void reach_error(void);

int main(void)
{
    time_t now = 5, said = time(&now);
    if (now != 5)
        reach_error();
    return 0;
}
