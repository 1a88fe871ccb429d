// expect: false or unknown
// options: --entry copy
// native: extern void copy(char *a, int *b); int main(void) { int x = 0; copy((char *)&x + 1, &x); return 0; }
// A byte may lie in the middle of a number.
extern void reach_error(void);

void copy(char *a, int *b)
{
    int kept;
    if (!a || !b)
        return;
    *b = 0;
    kept = *b;
    *a = 1;
    if (*b != 0)
        reach_error();
}
