// expect: false or unknown
// property: valid-deref
// not shown by gcc: what is read in the place of the argument is left open
// The format asks for a text that is not given.
#include <stdio.h>

int main(void)
{
    char to[40];
    snprintf(to, sizeof to, "%d %s", 1);
    return 0;
}
