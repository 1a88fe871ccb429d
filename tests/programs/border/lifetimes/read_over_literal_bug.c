// expect: false or unknown
// property: valid-deref
// stdin: "xyz\n"
// shown by: a crash of the program
// A line is read into a literal.
#include <stdio.h>

int main(void)
{
    char *line = "abcdef";
    return fgets(line, 4, stdin) == 0;
}
