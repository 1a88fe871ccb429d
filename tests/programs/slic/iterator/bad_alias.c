// expect: false
extern int __VERIFIER_nondet_int(void);
struct list;
struct iterator;
struct iterator *list_iterator(struct list *list);
int iterator_has_next(struct iterator *iterator);
int iterator_next(struct iterator *iterator);
void list_add(struct list *list, int value);
void list_remove(struct list *list, int value);

struct walk { struct iterator *here, *there; };
int main(void)
{
    struct list *list = 0;
    struct walk w = { list_iterator(list), 0 };
    w.there = w.here;
    if (!w.here)
        return 1;
    if (__VERIFIER_nondet_int() > 2)
        w.there = list_iterator(list);
    if (w.there && iterator_has_next(w.here)) {
        iterator_next(w.there); // bad
        if (w.there != w.here)
            iterator_next(w.here);
    }
    return 0;
}
