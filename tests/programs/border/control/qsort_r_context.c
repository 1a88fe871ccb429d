// expect: true or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// qsort_r hands its last argument to the comparison.
#include <stdlib.h>
extern void reach_error(void);

static int compare(const void *a, const void *b, void *context)
{
    ++*(int *)context;
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    int v[2] = {2, 1}, calls = 0;
    qsort_r(v, 2, sizeof v[0], compare, &calls);
    if (v[0] != 1 || v[1] != 2)
        reach_error();
    return 0;
}
