// expect: true
// A list on the heap, built and taken apart.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#include <stdlib.h>
struct node { int value; struct node *next; };

int main(void)
{
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        if (!fresh)
            return 1;
        fresh->value = i;
        fresh->next = head;
        head = fresh;
    }
    int last = 3;
    while (head) {
        struct node *next = head->next;
        if (head->value != last - 1)
            reach_error();
        last = head->value;
        free(head);
        head = next;
    }
    if (last != 0)
        reach_error();
    return 0;
}
