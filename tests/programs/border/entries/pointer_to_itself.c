// expect: true or unknown
// options: --entry set
// native: extern void set(void **p); int main(void) { void *p = &p; set(p); return 0; }
// What is written last is read.
extern void reach_error(void);

void set(void **p)
{
    void *old;
    if (!p || !*p)
        return;
    old = *p;
    *(void **)old = 0;
    *p = old;
    if (*p == 0)
        reach_error();
}
