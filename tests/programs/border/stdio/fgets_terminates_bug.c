// expect: false
// property: valid-deref
// stdin: "abcdefgh"
// fgets is told of more bytes than there are.
#include <stdio.h>

int main(void)
{
    char line[8];
    if (fgets(line, sizeof line + 1, stdin))
        return line[0] == 'a';
    return 0;
}
