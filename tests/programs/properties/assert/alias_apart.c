// expect: true
// Two variables.
#include <assert.h>

static void set(int *p, int *q)
{
    *p = 1;
    *q = 2;
    assert(*p == 1);
}
int main(void)
{
    int a, b;
    set(&a, &b);
    return 0;
}
