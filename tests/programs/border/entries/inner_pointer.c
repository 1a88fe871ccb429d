// expect: true or unknown
// options: --entry touch
// native: struct node { int value; int *where; }; extern void touch(struct node *); int main(void) { struct node n = {0, 0}; n.where = &n.value; touch(&n); return 0; }
// What is written last is read.
extern void reach_error(void);
struct node {
    int value;
    int *where;
};

void touch(struct node *n)
{
    if (!n || !n->where)
        return;
    n->value = 1;
    *n->where = 2;
    n->value = 1;
    if (n->value != 1)
        reach_error();
}
