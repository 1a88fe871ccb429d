// expect: false
// property: valid-deref
// stdin: "\0\n"
// A line may begin with a zero byte: its length is zero.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buffer[16], *line = buffer + 8;
    size_t n;
    if (!fgets(line, 8, stdin))
        return 0;
    n = strlen(line);
    if (line[n - 1 - 8] == '\n')
        line[n - 1] = 0;
    return 0;
}
