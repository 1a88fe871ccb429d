// expect: true
// property: no-null-deref
// allocations: fail 1
// Every C programmer's first test, with the question.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 1;
    free(p);
    return 0;
}
