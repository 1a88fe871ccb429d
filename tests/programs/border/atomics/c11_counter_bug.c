// expect: false
// atomic_fetch_add returns the value before.
#include <stdatomic.h>
extern void reach_error(void);
static atomic_int n;

int main(void)
{
    int before = atomic_fetch_add(&n, 2);
    if (before == 0 && n == 2)
        reach_error();
    return 0;
}
