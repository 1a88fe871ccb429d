// expect: false
// property: valid-deref
// shown by: a crash of the program
// strtok cuts a literal.
#include <string.h>

int main(void)
{
    char *line = "a b";
    return strtok(line, " ") == 0;
}
