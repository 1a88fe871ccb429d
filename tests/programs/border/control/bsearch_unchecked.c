// expect: true
// property: no-null-deref
// inputs: 5
// What bsearch returns is asked before it is used.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void)
{
    static const int table[3] = {2, 4, 6};
    int key = __VERIFIER_nondet_int();
    int *at = bsearch(&key, table, 3, sizeof table[0], compare);
    if (!at)
        return 0;
    return *at;
}
