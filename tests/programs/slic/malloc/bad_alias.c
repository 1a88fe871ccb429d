// expect: false
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
#include <string.h>

struct pair { char *left, *right; };
int main(void)
{
    struct pair pair = { malloc(4), malloc(4) };
    struct pair copy = pair;
    if (__VERIFIER_nondet_int() < 0)
        copy.right = copy.left;
    free(pair.left);
    if (copy.right)
        memset(copy.right, 0, 4); // bad
    free(pair.right);
    return 0;
}
