// expect: true
// Lists compare live pointers only.
#include <stdlib.h>
extern void reach_error(void);

struct node { struct node *next; };

int main(void)
{
    struct node head;
    head.next = &head;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            abort();
        n->next = head.next;
        head.next = n;
    }
    int count = 0;
    for (struct node *p = head.next; p != &head; p = p->next)
        count++;
    if (count != 3)
        reach_error();
    return 0;
}
