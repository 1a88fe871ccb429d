// expect: true
// property: valid-deref
// As many elements are sorted as there are.
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    int *v = malloc(3 * sizeof *v);
    if (!v)
        return 1;
    v[0] = 3;
    v[1] = 2;
    v[2] = 1;
    qsort(v, 3, sizeof *v, compare);
    free(v);
    return 0;
}
