// expect: true
// The walk ends with the list.

struct node { struct node *next; int v; };
int main(void)
{
    struct node c = { 0, 3 }, b = { &c, 2 }, a = { &b, 1 };
    struct node *p;
    int sum = 0;
    for (p = &a; p; p = p->next)
        sum += p->v;
    return sum;
}
