// expect: true
// property: valid-deref
// strncpy writes no terminator where the source is too long; it is written by hand.
#include <string.h>

int main(void)
{
    char to[4];
    strncpy(to, "long text", sizeof to);
    to[3] = 0;
    return (int)strlen(to);
}
