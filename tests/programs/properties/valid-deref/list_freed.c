// expect: false
// The next element is read from a freed one.
#include <stdlib.h>

struct node { struct node *next; int v; };
int main(void)
{
    struct node *head = 0, *n;
    int i;
    for (i = 0; i < 2; i++) {
        n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    while (head) {
        free(head);
        head = head->next; // bad
    }
    return 0;
}
