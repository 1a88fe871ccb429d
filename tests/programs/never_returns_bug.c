// expect: false
// An entry is linked twice, and misuse ends in a procedure that never returns.

extern void reach_error(void);
extern void *malloc(unsigned long);

struct entry {
    struct entry *next;
    int linked;
};

static void misuse(void)
{
    reach_error();
}

static void link_in(struct entry *e)
{
    if (e->linked)
        misuse();
    e->linked = 1;
}

static void unlink_from(struct entry *e)
{
    if (!e->linked)
        misuse();
    e->linked = 0;
}

int main(void)
{
    struct entry *e = malloc(sizeof *e);
    if (!e)
        return 0;
    e->linked = 0;
    link_in(e);
    link_in(e);
    return 0;
}
