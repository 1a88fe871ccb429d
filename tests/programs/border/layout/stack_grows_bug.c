// expect: false or unknown
// A variable of the callee lies below that of the caller, on this machine.
#include <stdint.h>
extern void reach_error(void);

__attribute__((noinline)) static int below(int *mine)
{
    int here = 1;
    return (uintptr_t)&here < (uintptr_t)mine;
}
int main(void)
{
    int x = 2;
    if (below(&x))
        reach_error();
    return 0;
}
