// expect: false
// atomic_fetch_and returns what was there before.
#include <stdatomic.h>
extern void reach_error(void);
static atomic_uint bits = 6;

int main(void)
{
    unsigned before = atomic_fetch_and(&bits, 3u);
    atomic_fetch_or(&bits, 8u);
    if (before == 6)
        reach_error();
    return 0;
}
