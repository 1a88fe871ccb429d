// expect: true
// property: no-null-deref
// The pointer is asked for before the address of its member is taken.
#include <stddef.h>
struct pair {
    int a, b;
};

static void set(int *at)
{
    if (at)
        *at = 1;
}
int main(void)
{
    struct pair *p = NULL;
    if (p)
        set(&p->b);
    return 0;
}
