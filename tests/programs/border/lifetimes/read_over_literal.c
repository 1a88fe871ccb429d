// expect: true or unknown
// property: valid-deref
// stdin: "xyz\n"
// A line is read into an array.
#include <stdio.h>

int main(void)
{
    char line[] = "abcdef";
    return fgets(line, 4, stdin) == 0;
}
