// expect: pure true, havoc false
// A structure on the heap.
extern void reach_error(void);
extern void *malloc(unsigned long);
struct pair { int a, b; };
extern void set(struct pair *to);

int main(void)
{
    struct pair *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->a = 1;
    p->b = 2;
    set(p);
    if (p->b == 9)
        reach_error();
    return 0;
}
