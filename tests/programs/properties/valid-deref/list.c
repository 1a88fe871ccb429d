// expect: true
// A list is made, walked and freed.
#include <stdlib.h>

struct node { struct node *next; int v; };
int main(void)
{
    struct node *head = 0, *n;
    int i, sum = 0;
    for (i = 0; i < 2; i++) {
        n = malloc(sizeof *n);
        n->next = head;
        n->v = i;
        head = n;
    }
    while (head) {
        n = head->next;
        sum += head->v;
        free(head);
        head = n;
    }
    return sum;
}
