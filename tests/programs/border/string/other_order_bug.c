// expect: false or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// bcopy takes the source first, other than memcpy.
#include <strings.h>
extern void reach_error(void);

int main(void)
{
    char a[2] = "a", b[2] = "b";
    bcopy(a, b, 1);
    if (a[0] == b[0] && a[0] == 'a')
        reach_error();
    return 0;
}
