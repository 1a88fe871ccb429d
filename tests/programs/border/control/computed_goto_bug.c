// expect: false or unknown
// inputs: 1
// A jump to the second label of a table.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    static void *const table[2] = {&&zero, &&one};
    int n = __VERIFIER_nondet_int();
    if (n != 0 && n != 1)
        return 0;
    goto *table[n];
zero:
    return 0;
one:
        reach_error();
    return 0;
}
