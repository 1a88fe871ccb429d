// expect: true
// property: no-overflow
// inputs: -2000000000
// The comparison compares.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void)
{
    int v[2];
    v[0] = 2000000000;
    v[1] = __VERIFIER_nondet_int();
    qsort(v, 2, sizeof v[0], compare);
    return 0;
}
