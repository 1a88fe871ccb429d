// expect: false
// property: valid-deref
// strncpy writes no terminator where the source is too long, and strlen runs on.
#include <string.h>

int main(void)
{
    char to[4];
    strncpy(to, "long text", sizeof to);
    return (int)strlen(to);
}
