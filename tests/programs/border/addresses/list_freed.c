// expect: true
// A list that is taken apart from its head.
#include <stdlib.h>
extern void reach_error(void);

struct node { struct node *next; };

int main(void)
{
    struct node head;
    head.next = &head;
    for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            abort();
        n->next = head.next;
        head.next = n;
    }
    int count = 0;
    while (head.next != &head) {
        struct node *n = head.next;
        head.next = n->next;
        free(n);
        count++;
    }
    if (count != 2)
        reach_error();
    return 0;
}
