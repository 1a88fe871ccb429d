// expect: true
// property: valid-deref
// stdin: "abcdefgh"
// fgets writes at most as many bytes as it is told, with the terminator.
#include <stdio.h>

int main(void)
{
    char line[8];
    if (fgets(line, sizeof line, stdin))
        return line[0] == 'a';
    return 0;
}
