// expect: false or unknown
// Time zero is in the year 1970, counted from 1900.
#include <time.h>
extern void reach_error(void);

int main(void)
{
    time_t zero = 0;
    struct tm *parts = gmtime(&zero);
    if (!parts)
        return 0;
    if (parts->tm_year == 70)
        reach_error();
    return 0;
}
