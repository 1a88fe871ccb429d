// check: --property valid-deref
#include <stdlib.h>
struct node {
    struct node *next;
    int key;
};
static int find(const struct node *node, int key)
{
    int position = 0;
    while (node->key != key) {
        node = node->next;
        position++;
    }
    return position;
}
int main(void)
{
    struct node second = {NULL, 20};
    struct node first = {&second, 10};
    return find(&first, 30);
}
