// expect: true or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// bcopy takes the source first.
#include <strings.h>
extern void reach_error(void);

int main(void)
{
    char a[2] = "a", b[2] = "b";
    bcopy(a, b, 1);
    if (b[0] != 'a')
        reach_error();
    return 0;
}
