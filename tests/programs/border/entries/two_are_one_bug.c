// expect: false or unknown
// options: --entry set
// native: extern void set(int *a, int *b); int main(void) { int x = 0; set(&x, &x); return 0; }
// Two parameters may be the same pointer.
extern void reach_error(void);

void set(int *a, int *b)
{
    if (!a || !b)
        return;
    *a = 1;
    *b = 2;
    if (*a != 1)
        reach_error();
}
