// expect: false
// The last cell differs.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { SIZE = 6 };

int main(void)
{
    int cells[SIZE], at = __VERIFIER_nondet_int();
    for (int i = 0; i < SIZE; i++)
        cells[i] = i < 5 ? 7 : 8;
    if (at < 0 || at >= SIZE)
        return 0;
    if (cells[at] != 7)
        reach_error();
    return 0;
}
