// expect: false or unknown
// property: valid-deref
// The precision that is given is larger than the buffer.
#include <stdio.h>

int main(void)
{
    char to[4];
    sprintf(to, "%.*s", 4, "abcdef");
    return to[0];
}
