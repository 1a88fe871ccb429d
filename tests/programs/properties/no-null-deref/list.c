// expect: false
// The list is shorter than thought.
extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int v; };
int main(void)
{
    struct node c = { 0, 3 }, b = { &c, 2 }, a = { &b, 1 };
    struct node *p = &a;
    int i, n = __VERIFIER_nondet_int();
    for (i = 0; i < n && i < 4; i++)
        p = p->next; // bad
    return 0;
}
