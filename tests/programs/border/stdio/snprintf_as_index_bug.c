// expect: false
// property: valid-deref
// The length that snprintf returns is used as an index.
#include <stdio.h>

int main(void)
{
    char to[4];
    int n = snprintf(to, sizeof to, "%s", "abcdef");
    to[n] = 0;
    return to[0];
}
