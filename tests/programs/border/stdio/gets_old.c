// expect: true
// property: valid-deref
// stdin: "a longer line\n"
// A line is read with its bound.
#include <stdio.h>
#include <string.h>
extern char *gets(char *to);

int main(void)
{
    char line[8];
    if (!fgets(line, 8, stdin))
        return 0;
    return (int)strlen(line);
}
