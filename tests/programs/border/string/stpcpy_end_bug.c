// expect: false or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// stpcpy returns the place of the terminator, not the beginning.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char to[8];
    if (stpcpy(to, "abc") != to)
        reach_error();
    return 0;
}
