// expect: true
// A failed exchange writes what it found to the expected value.
#include <stdatomic.h>
extern void reach_error(void);
static atomic_int n = 5;

int main(void)
{
    int expected = 4;
    int done = atomic_compare_exchange_strong(&n, &expected, 9);
    if (done || expected != 5 || n != 5)
        reach_error();
    return 0;
}
