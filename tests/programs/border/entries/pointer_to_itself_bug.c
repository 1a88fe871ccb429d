// expect: false or unknown
// options: --entry set
// native: extern void set(void **p); int main(void) { void *p = &p; set(p); return 0; }
// A pointer may lead to itself.
extern void reach_error(void);

void set(void **p)
{
    void *old;
    if (!p || !*p)
        return;
    old = *p;
    *(void **)old = 0;
    if (*p == 0)
        reach_error();
}
