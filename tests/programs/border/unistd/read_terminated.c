// expect: true
// property: valid-deref
// stdin: "abcd"
// Room for the terminator is left.
#include <unistd.h>

int main(void)
{
    char line[4];
    ssize_t n = read(0, line, 3);
    if (n < 0)
        return 1;
    line[n] = 0;
    return 0;
}
