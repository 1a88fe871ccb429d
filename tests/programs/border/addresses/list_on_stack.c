// expect: true
// A list whose head is a local variable, in a function that is called twice.
#include <stdlib.h>
extern void reach_error(void);

struct node { struct node *next; };

static int length(struct node *head)
{
    int n = 0;
    for (struct node *p = head->next; p != head; p = p->next)
        n++;
    return n;
}

static void once(void)
{
    struct node head, one;
    head.next = &one;
    one.next = &head;
    if (length(&head) != 1)
        reach_error();
}

int main(void)
{
    once();
    once();
    return 0;
}
