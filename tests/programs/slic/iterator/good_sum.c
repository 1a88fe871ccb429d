// expect: true
extern int __VERIFIER_nondet_int(void);
struct list;
struct iterator;
struct iterator *list_iterator(struct list *list);
int iterator_has_next(struct iterator *iterator);
int iterator_next(struct iterator *iterator);
void list_add(struct list *list, int value);
void list_remove(struct list *list, int value);

int main(void)
{
    struct list *list = 0;
    struct iterator *it;
    unsigned sum = 0;
    list_add(list, 1);
    list_add(list, 2);
    it = list_iterator(list);
    if (!it)
        return 1;
    while (iterator_has_next(it))
        sum += iterator_next(it);
    list_add(list, 3);
    return sum > 10;
}
