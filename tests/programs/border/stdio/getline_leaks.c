// expect: true or unknown
// property: valid-memtrack
// options: -D _GNU_SOURCE
// stdin: "abc\n"
// gcc: -D_GNU_SOURCE
// The line that getline allocated is freed.
#include <stdio.h>
#include <stdlib.h>

static long count(void)
{
    char *line = 0;
    size_t size = 0;
    long n = getline(&line, &size, stdin);
    free(line);
    return n;
}
int main(void)
{
    return count() == 4;
}
