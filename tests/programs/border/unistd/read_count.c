// expect: true or unknown
// stdin: "abc"
// read returns -1, or no more than it was asked for.
#include <unistd.h>
extern void reach_error(void);

int main(void)
{
    char v[4] = {0};
    ssize_t n = read(0, v, sizeof v);
    if (n < -1 || n > 4)
        reach_error();
    return 0;
}
