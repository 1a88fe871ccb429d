// expect: false or unknown
// property: valid-deref
// stdin: "abcdefgh"
// read is told of a larger buffer.
#include <unistd.h>

int main(void)
{
    char v[4];
    return read(0, v, 8) > 0;
}
