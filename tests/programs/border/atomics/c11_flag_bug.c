// expect: false
// A flag that is set says so the second time.
#include <stdatomic.h>
extern void reach_error(void);
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void)
{
    int first = atomic_flag_test_and_set(&flag), second = atomic_flag_test_and_set(&flag);
    if (second)
        reach_error();
    return 0;
}
