// expect: true or unknown
// A month is a number from 0 to 11.
#include <time.h>
extern void reach_error(void);

int main(void)
{
    time_t zero = 0;
    struct tm *parts = gmtime(&zero);
    if (!parts)
        return 0;
    if (parts->tm_mon < 0 || parts->tm_mon > 11)
        reach_error();
    return 0;
}
