// expect: true
// Each element is freed once.
#include <stdlib.h>

struct node { struct node *next; };
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
        n = head;
        head = head->next;
        free(n);
    }
    return 0;
}
