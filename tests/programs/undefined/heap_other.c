// expect: pure true, havoc true
// Another block on the heap was given to nobody.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
struct pair { int a, b; };
extern void set(struct pair *to);

int main(void)
{
    struct pair *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    if (!p || !q)
        return 0;
    p->a = 1;
    p->b = 2;
    set(q);
    free(q);
    set(0);
    if (p->b != 2)
        reach_error();
    return 0;
}
