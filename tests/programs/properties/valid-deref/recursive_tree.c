// expect: true
// A walk through a tree of the heap that counts into a variable of each activation.
#include <stdlib.h>
struct node {
    struct node *left, *right;
};
static void count(struct node *t, int *out)
{
    int left, right;
    if (!t) {
        *out = 0;
        return;
    }
    count(t->left, &left);
    count(t->right, &right);
    *out = left + right + 1;
}
int main(void)
{
    struct node *root = malloc(sizeof *root);
    root->left = malloc(sizeof *root);
    root->right = 0;
    root->left->left = root->left->right = 0;
    int n;
    count(root, &n);
    free(root->left);
    free(root);
    return n;
}
