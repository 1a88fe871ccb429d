// expect: false
// property: valid-deref
// Parts that overlap must not be copied with memcpy.
#include <string.h>

int main(void)
{
    char v[8] = "abcdefg";
    memcpy(v + 1, v, 4);
    return v[2];
}
