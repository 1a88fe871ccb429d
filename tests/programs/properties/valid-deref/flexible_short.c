// expect: false
// An array at the end of a structure has no more than was allocated.
#include <stdlib.h>

struct text { int n; char s[]; };
int main(void)
{
    struct text *t = malloc(sizeof *t + 3);
    t->n = 4;
    t->s[t->n - 1] = 1; // bad
    free(t);
    return 0;
}
