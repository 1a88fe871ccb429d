// expect: false or unknown
// property: valid-deref
// stdin: "abcdef\n"
// The loop leaves no room for the terminator.
#include <stdio.h>

int main(void)
{
    char line[4];
    int n = 0, c;
    while (n < 4 && (c = getchar()) != EOF && c != '\n')
        line[n++] = (char)c;
    line[n] = 0;
    return 0;
}
