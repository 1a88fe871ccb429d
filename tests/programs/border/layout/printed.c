// expect: true or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// A pointer is printed as some text.
#include <stdio.h>
extern void reach_error(void);
static int x;

int main(void)
{
    char text[40];
    int n = snprintf(text, sizeof text, "%p", (void *)&x);
    if (n == 0)
        reach_error();
    return 0;
}
