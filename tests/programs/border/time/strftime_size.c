// expect: true or unknown
// property: valid-deref
// strftime writes no more than it is told.
#include <string.h>
#include <time.h>

int main(void)
{
    char text[8];
    struct tm day = {0};
    day.tm_mday = 1;
    day.tm_year = 100;
    if (strftime(text, sizeof text, "%Y-%m-%d", &day) == 0)
        return 0;
    return (int)strlen(text);
}
