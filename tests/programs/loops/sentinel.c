// expect: true
// A search that ends at its sentinel stays inside.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { SIZE = 5 };

int main(void)
{
    int cells[SIZE + 1], wanted = __VERIFIER_nondet_int(), i = 0;
    for (int k = 0; k < SIZE; k++)
        cells[k] = __VERIFIER_nondet_int();
    cells[SIZE] = wanted;
    while (i < SIZE && cells[i] != wanted)
        i++;
    if (i > SIZE)
        reach_error();
    return 0;
}
