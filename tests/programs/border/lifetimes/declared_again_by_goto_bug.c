// expect: false
// A jump back in the same block leaves the object alone.
extern void reach_error(void);
struct node { int number; struct node *next; };

int main(void)
{
    struct node *head = 0;
    int i = 0;
again:;
    struct node *p = &(struct node){i, head};
    head = p;
    if (++i < 2)
        goto again;
    if (head->number == 1 && head->next == head)
        reach_error();
    return 0;
}
