// expect: false
// The list is a ring.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };
int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *n[3];
    int i;
    a->next = b;
    b->next = __VERIFIER_nondet_int() ? 0 : a;
    n[0] = a;
    n[1] = a->next;
    n[2] = b->next;
    for (i = 0; i < 3; i++)
        free(n[i]); // bad
    return 0;
}
