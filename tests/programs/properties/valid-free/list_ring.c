// expect: false
// The list is a ring.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };
int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *n, *p = a;
    int i;
    a->next = b;
    b->next = __VERIFIER_nondet_int() ? 0 : a;
    for (i = 0; p && i < 3; i++) {
        n = p->next;
        free(p); // bad
        p = n;
    }
    return 0;
}
