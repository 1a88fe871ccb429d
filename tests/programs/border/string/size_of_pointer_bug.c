// expect: false
// property: valid-deref
// bits: 64
// As much is copied as a pointer has.
#include <string.h>

int main(void)
{
    char to[16];
    const char *from = "ab";
    memcpy(to, from, sizeof from);
    return to[0];
}
