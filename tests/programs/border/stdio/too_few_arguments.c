// expect: true or unknown
// property: valid-deref
// As many arguments as the format asks for.
#include <stdio.h>

int main(void)
{
    char to[40];
    snprintf(to, sizeof to, "%d %s", 1, "a");
    return 0;
}
