// expect: true
// property: no-null-deref
// strtok returns null for a line of nothing but separators, which is asked.
#include <string.h>

int main(void)
{
    char line[] = "  ";
    char *word = strtok(line, " ");
    if (!word)
        return 0;
    return *word;
}
