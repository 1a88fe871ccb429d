// expect: false or unknown
// property: valid-deref
// stdin: "abcd"
// read fills the whole buffer, and the terminator has no room.
#include <unistd.h>

int main(void)
{
    char line[4];
    ssize_t n = read(0, line, 4);
    if (n < 0)
        return 1;
    line[n] = 0;
    return 0;
}
