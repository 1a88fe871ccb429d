// expect: true
// property: valid-deref
// As many elements as were allocated.
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
    t->v[1] = 1;
    free(t);
    return 0;
}
