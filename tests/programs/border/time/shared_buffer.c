// expect: true or unknown
// What gmtime returns is copied before the next call.
#include <time.h>
extern void reach_error(void);

int main(void)
{
    time_t early = 0, late = 86400 * 40;
    struct tm *a = gmtime(&early), *b, kept;
    if (!a)
        return 0;
    kept = *a;
    b = gmtime(&late);
    if (!b)
        return 0;
    if (kept.tm_mon != 0)
        reach_error();
    return 0;
}
