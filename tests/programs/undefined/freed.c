// expect: pure true, havoc true
// What was freed, and variables whose function has returned, are not written any more: runs go on.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void keep(int *at);
extern void tick(void);

static void give(void)
{
    int local = 1;
    keep(&local);
}

int main(void)
{
    int n = 0;
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    keep(p);
    free(p);
    give();
    tick();
    n++;
    if (n != 1)
        reach_error();
    return 0;
}
