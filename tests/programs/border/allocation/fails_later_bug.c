// expect: false
// property: valid-memtrack
// bits: 64
// allocations: fail 3
// What was made so far is lost where an allocation fails.
#include <stdlib.h>
struct node {
    struct node *next;
};

int main(void)
{
    struct node *head = 0, *n;
    int i;
    for (i = 0; i < 3; i++) {
        n = malloc(sizeof *n);
        if (!n)
            return 1;
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
