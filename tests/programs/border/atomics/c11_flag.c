// expect: true
// A flag that was clear is set once.
#include <stdatomic.h>
extern void reach_error(void);
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void)
{
    int first = atomic_flag_test_and_set(&flag), second = atomic_flag_test_and_set(&flag);
    if (first || !second)
        reach_error();
    return 0;
}
