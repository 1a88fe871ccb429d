// expect: true
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int value; };
int main(void)
{
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    if (!first || !second) {
        free(first);
        free(second);
        return 1;
    }
    first->next = second;
    second->next = NULL;
    memset(&first->value, 0, sizeof first->value);
    second = first->next;
    free(first);
    free(second);
    return 0;
}
