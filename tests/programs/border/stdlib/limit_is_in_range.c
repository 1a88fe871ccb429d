// expect: true
// The greatest number is in range: errno stays.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    long long n;
    errno = 0;
    n = strtoll("9223372036854775807", 0, 10);
    if (errno != 0 || n != 9223372036854775807)
        reach_error();
    return 0;
}
