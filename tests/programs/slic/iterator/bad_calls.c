// expect: false
extern int __VERIFIER_nondet_int(void);
struct list;
struct iterator;
struct iterator *list_iterator(struct list *list);
int iterator_has_next(struct iterator *iterator);
int iterator_next(struct iterator *iterator);
void list_add(struct list *list, int value);
void list_remove(struct list *list, int value);

static void visit(struct list *list, int value)
{
    if (value == 13)
        list_remove(list, value);
}
int main(void)
{
    struct list *list = 0;
    struct iterator *it = list_iterator(list);
    if (!it)
        return 1;
    while (iterator_has_next(it)) // bad
        visit(list, iterator_next(it));
    return 0;
}
