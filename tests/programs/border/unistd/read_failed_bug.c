// expect: false or unknown
// property: valid-deref
// stdin: ""
// read returns -1 for a file that is not open, and that is no index.
#include <unistd.h>

int main(void)
{
    char line[4], *at = line;
    ssize_t n = read(99, line, 3);
    at[n] = 0;
    return 0;
}
