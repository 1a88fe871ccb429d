// expect: pure false, havoc false
// The same, and the error is there in both readings: no run may be lost on the way.
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
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    keep(p);
    free(p);
    give();
    tick();
    reach_error();
    return 0;
}
