// expect: pure true, havoc false
// A pointer may stay, become null or lead elsewhere; here it must not become null.
extern void reach_error(void);
struct node { int n; struct node *next; };
extern void visit(struct node *at);

int main(void)
{
    struct node b = { 2, 0 }, a = { 1, &b };
    visit(&a);
    if (a.next == &b)
        return 0;
    if (a.next == 0)
        reach_error();
    return 0;
}
