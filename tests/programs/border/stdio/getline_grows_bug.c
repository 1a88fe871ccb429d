// expect: false or unknown
// property: valid-deref
// options: -D _GNU_SOURCE
// stdin: "abc\n"
// gcc: -D_GNU_SOURCE
// getline allocates the line only as long as it says.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = 0;
    size_t size = 0;
    ssize_t n = getline(&line, &size, stdin);
    if (n > 0)
        line[size] = 0;
    free(line);
    return 0;
}
