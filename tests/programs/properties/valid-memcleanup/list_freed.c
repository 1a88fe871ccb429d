// expect: true
// A global list is freed.
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
    while (head) {
        n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
