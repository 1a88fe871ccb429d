// expect: false or unknown
// A variable lies where one of a call before it lay.
#include <stdint.h>
extern void reach_error(void);

__attribute__((noinline)) static uintptr_t place(int n)
{
    int here = n;
    return (uintptr_t)&here;
}
int main(void)
{
    int x = 1;
    uintptr_t a = place(1), b = place(2);
    if (a == b)
        reach_error();
    return 0;
}
