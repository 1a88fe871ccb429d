// expect: false
// property: no-null-deref
// strtok returns null for a line of nothing but separators.
#include <string.h>

int main(void)
{
    char line[] = "  ";
    char *word = strtok(line, " ");
    return *word;
}
