// expect: false
// The same block from two members.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct pair { int *a, *b; };
int main(void)
{
    struct pair p;
    p.a = malloc(4);
    p.b = __VERIFIER_nondet_int() == 6 ? p.a : malloc(4);
    free(p.a);
    free(p.b); // bad
    return 0;
}
