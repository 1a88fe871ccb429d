// expect: false or unknown
// write may fail, here for a file that is not open.
#include <unistd.h>
extern void reach_error(void);

int main(void)
{
    ssize_t n = write(99, "abc", 3);
    if (n < 0)
        reach_error();
    return 0;
}
