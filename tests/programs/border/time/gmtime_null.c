// expect: true or unknown
// property: no-null-deref
// bits: 64
// gmtime cannot say the year of a huge number, which is asked.
#include <time.h>

int main(void)
{
    time_t when = 0x7fffffffffffffff;
    struct tm *parts = gmtime(&when);
    if (!parts)
        return 0;
    return parts->tm_year;
}
