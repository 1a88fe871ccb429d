// expect: false or unknown
// property: valid-deref
// strftime is told of more room than there is.
#include <string.h>
#include <time.h>

int main(void)
{
    char text[8];
    struct tm day = {0};
    day.tm_mday = 1;
    day.tm_year = 100;
    if (strftime(text, 16, "%Y-%m-%d", &day) == 0)
        return 0;
    return (int)strlen(text);
}
