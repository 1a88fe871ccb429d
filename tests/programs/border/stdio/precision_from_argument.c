// expect: true or unknown
// property: valid-deref
// The precision that is given keeps the text inside.
#include <stdio.h>

int main(void)
{
    char to[4];
    sprintf(to, "%.*s", 3, "abcdef");
    return to[0];
}
