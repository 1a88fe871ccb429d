// check: --property valid-deref
#include <stdlib.h>
struct node { struct node *next; int value; };
static struct node *push(struct node *list, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return list;
    node->next = list;
    node->value = value;
    return node;
}
int main(void)
{
    struct node *list = push(push(NULL, 1), 2);
    if (!list || !list->next)
        return 1;
    free(list->next);
    return list->next->value;
}
