// expect: false
// A function that returns leaves the block with its cleanup function.
#include <stdlib.h>
extern void reach_error(void);

static void clean(int *at)
{
    (void)at;
    reach_error();
}
static void work(void)
{
    __attribute__((cleanup(clean))) int x = 1;
}
int main(void)
{
    work();
    return 0;
}
