// expect: true
// property: valid-deref
// bits: 64
// As much is copied as the text has.
#include <string.h>

int main(void)
{
    char to[16];
    const char *from = "ab";
    memcpy(to, from, 3);
    return to[0];
}
