// expect: true or unknown
// options: --entry copy
// native: extern void copy(char *a, int *b); int main(void) { int x = 0; copy((char *)&x + 1, &x); return 0; }
// What was read before is kept.
extern void reach_error(void);

void copy(char *a, int *b)
{
    int kept;
    if (!a || !b)
        return;
    *b = 0;
    kept = *b;
    *a = 1;
    if (kept != 0)
        reach_error();
}
