// expect: false or unknown
// property: no-null-deref
// bits: 64
// gmtime cannot say the year of a huge number.
#include <time.h>

int main(void)
{
    time_t when = 0x7fffffffffffffff;
    struct tm *parts = gmtime(&when);
    return parts->tm_year;
}
