// expect: true
extern int __VERIFIER_nondet_int(void);
struct list;
struct iterator;
struct iterator *list_iterator(struct list *list);
int iterator_has_next(struct iterator *iterator);
int iterator_next(struct iterator *iterator);
void list_add(struct list *list, int value);
void list_remove(struct list *list, int value);

static struct iterator *find(struct list *list, int value)
{
    struct iterator *it = list_iterator(list);
    while (it && iterator_has_next(it))
        if (iterator_next(it) == value)
            return it;
    return 0;
}
int main(void)
{
    struct list *list = 0;
    if (find(list, 1))
        list_remove(list, 1);
    if (find(list, 2))
        list_remove(list, 2);
    return 0;
}
