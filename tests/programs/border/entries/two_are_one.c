// expect: true
// options: --entry set
// native: extern void set(int *a, int *b); int main(void) { int x = 0; set(&x, &x); return 0; }
// Two parameters that are asked for are different.
extern void reach_error(void);

void set(int *a, int *b)
{
    if (!a || !b)
        return;
    if (a == b)
        return;
    *a = 1;
    *b = 2;
    if (*a != 1)
        reach_error();
}
