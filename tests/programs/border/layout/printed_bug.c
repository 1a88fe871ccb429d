// expect: false or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// A pointer that is printed is a text of at least three letters here.
#include <stdio.h>
extern void reach_error(void);
static int x;

int main(void)
{
    char text[40];
    int n = snprintf(text, sizeof text, "%p", (void *)&x);
    if (n > 2)
        reach_error();
    return 0;
}
