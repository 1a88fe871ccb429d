// expect: true or unknown
// write returns no more than it was given.
#include <unistd.h>
extern void reach_error(void);

int main(void)
{
    ssize_t n = write(99, "abc", 3);
    if (n > 3)
        reach_error();
    return 0;
}
