// expect: true
// An array at the end of a structure has what was allocated.
#include <stdlib.h>

struct text { int n; char s[]; };
int main(void)
{
    struct text *t = malloc(sizeof *t + 3);
    t->n = 3;
    t->s[2] = 1;
    free(t);
    return 0;
}
