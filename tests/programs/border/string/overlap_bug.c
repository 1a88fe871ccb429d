// expect: false or unknown
// property: valid-deref
// gcc: -fno-builtin
// Parts that overlap must not be copied with memcpy.
#include <string.h>

int main(void)
{
    char v[8] = "abcdefg";
    memcpy(v + 1, v, 4);
    return v[2];
}
