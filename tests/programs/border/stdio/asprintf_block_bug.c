// expect: false or unknown
// property: valid-memtrack
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// asprintf allocates, and nobody frees.
#include <stdio.h>
#include <stdlib.h>

static int make(int n)
{
    char *text;
    int length = asprintf(&text, "n=%d", n);
    if (length < 0)
        return 0;
    return length;
}
int main(void)
{
    return make(3) == 2;
}
