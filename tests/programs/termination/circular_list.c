// expect: false
// Two nodes that lead to one another.
struct node { struct node *next; };
int main(void)
{
    struct node a, b;
    a.next = &b;
    b.next = &a;
    for (struct node *p = &a; p; p = p->next)
        ;
    return 0;
}
