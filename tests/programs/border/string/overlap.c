// expect: true
// property: valid-deref
// gcc: -fno-builtin
// Parts that overlap are moved with memmove.
#include <string.h>

int main(void)
{
    char v[8] = "abcdefg";
    memmove(v + 1, v, 4);
    return v[2];
}
