// expect: false
// property: no-null-deref
// inputs: 5
// bsearch returns a null pointer for a key that is not there.
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
    return *at;
}
