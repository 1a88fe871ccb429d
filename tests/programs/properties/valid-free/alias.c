// expect: false
// Two names for one block.
#include <stdlib.h>

static void drop(int *p)
{
    free(p); // bad
}
int main(void)
{
    int *p = malloc(4), *q = p;
    drop(p);
    drop(q);
    return 0;
}
