// expect: false
// inputs: 8
// bsearch finds the key that is there.
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
    static const int table[4] = {1, 4, 8, 9};
    int key = __VERIFIER_nondet_int();
    int *at = bsearch(&key, table, 4, sizeof table[0], compare);
    if (at == table + 2)
        reach_error();
    return 0;
}
