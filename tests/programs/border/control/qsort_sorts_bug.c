// expect: false
// inputs: 3, 1
// qsort puts the smaller number first.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void)
{
    int v[2];
    v[0] = __VERIFIER_nondet_int();
    v[1] = __VERIFIER_nondet_int();
    qsort(v, 2, sizeof v[0], compare);
    if (v[0] < v[1])
        reach_error();
    return 0;
}
