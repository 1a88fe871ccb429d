// expect: true
// property: valid-deref
// stdin: "\0\n"
// The newline is cut off where there is one.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buffer[16], *line = buffer + 8;
    size_t n;
    if (!fgets(line, 8, stdin))
        return 0;
    n = strlen(line);
    if (n > 0 && line[n - 1] == '\n')
        line[n - 1] = 0;
    return 0;
}
