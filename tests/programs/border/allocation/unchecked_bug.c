// expect: false
// property: no-null-deref
// allocations: fail 1
// Every C programmer's first test, without the question.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}
