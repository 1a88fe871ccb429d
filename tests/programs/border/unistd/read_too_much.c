// expect: true
// property: valid-deref
// stdin: "abcdefgh"
// read is told how large the buffer is.
#include <unistd.h>

int main(void)
{
    char v[4];
    return read(0, v, 4) > 0;
}
