// expect: true
// property: no-null-deref
// allocations: fail 1
// malloc through a pointer may fail, too, and is asked.
#include <stdlib.h>
static void *(*take)(size_t) = malloc;
static void (*give)(void *) = free;

int main(void)
{
    int *p = take(sizeof *p);
    if (!p)
        return 1;
    *p = 1;
    give(p);
    return 0;
}
