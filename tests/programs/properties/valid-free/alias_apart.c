// expect: true
// Two blocks.
#include <stdlib.h>

static void drop(int *p)
{
    free(p);
}
int main(void)
{
    int *p = malloc(4), *q = malloc(4);
    drop(p);
    drop(q);
    return 0;
}
