// expect: true or unknown
// Two variables that live at the same time are different.
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
    if (a == (uintptr_t)&x && b == a && x != 1)
        reach_error();
    return 0;
}
