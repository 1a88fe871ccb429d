// expect: false (not native)
// A global list is left.
#include <stdlib.h>

struct node { struct node *next; };
static struct node *head;
int main(void)
{
    struct node *n;
    int i;
    for (i = 0; i < 2; i++) {
        n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    if (head->next)
        free(head->next);
    return 0;
} // bad
