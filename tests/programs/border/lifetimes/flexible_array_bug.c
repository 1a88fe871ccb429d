// expect: false
// property: valid-deref
// One more element than was allocated.
#include <stdlib.h>
struct text {
    int n;
    int v[];
};

int main(void)
{
    struct text *t = malloc(sizeof *t + 2 * sizeof t->v[0]);
    if (!t)
        return 1;
    t->n = 2;
    t->v[2] = 1;
    free(t);
    return 0;
}
