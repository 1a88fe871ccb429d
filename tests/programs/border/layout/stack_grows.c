// expect: true or unknown
// A variable of the caller and one of the callee are two.
#include <stdint.h>
extern void reach_error(void);

__attribute__((noinline)) static int below(int *mine)
{
    int here = 1;
    return &here == mine;
}
int main(void)
{
    int x = 2;
    if (below(&x))
        reach_error();
    return 0;
}
