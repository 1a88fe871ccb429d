// expect: true or unknown
// property: valid-deref
// stdin: "%s%s%s%s%s%s%s%s\n"
// The line that was read is printed as a text.
#include <stdio.h>

int main(void)
{
    char line[32];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    printf("%s", line);
    return 0;
}
