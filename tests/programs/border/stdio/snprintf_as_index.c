// expect: true
// property: valid-deref
// The length that snprintf returns is cut before it is an index.
#include <stdio.h>

int main(void)
{
    char to[4];
    int n = snprintf(to, sizeof to, "%s", "abcdef");
    if (n > 3)
        n = 3;
    to[n] = 0;
    return to[0];
}
