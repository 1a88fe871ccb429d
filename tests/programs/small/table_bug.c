// expect: false
// A constant table of five entries, read at an index that is an input; one entry is larger than the others.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static const int table[5] = {3, 1, 4, 1, 5};

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 5)
        return 0;
    if (table[i] < 1 || table[i] > 4)
        reach_error();
    return 0;
}
