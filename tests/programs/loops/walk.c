// expect: true
// A pointer that walks through an array ends right behind it.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { SIZE = 40 };

int main(void)
{
    int cells[SIZE];
    int *p = cells;
    while (p < cells + SIZE)
        *p++ = __VERIFIER_nondet_int();
    if (p != cells + SIZE)
        reach_error();
    return 0;
}
