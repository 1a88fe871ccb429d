// expect: false or unknown
// What gmtime returns is one buffer: the second call overwrites the first.
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
    if (a->tm_mon != kept.tm_mon)
        reach_error();
    return 0;
}
