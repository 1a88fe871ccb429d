// expect: false
// property: no-null-deref
// The address of a member of nothing is not null, and is written.
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
        set(&p->b);
    return 0;
}
