// expect: false or unknown
// stdin: "abc"
// read writes the buffer.
#include <unistd.h>
extern void reach_error(void);

int main(void)
{
    char v[4] = {0};
    ssize_t n = read(0, v, sizeof v);
    if (n == 3 && v[0] == 'a' && v[3] == 0)
        reach_error();
    return 0;
}
