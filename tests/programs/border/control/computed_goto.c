// expect: true or unknown
// inputs: 1
// A jump to a label in a table.
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
    if (n != 0)
        reach_error();
    return 0;
one:
    if (n != 1)
        reach_error();
    return 0;
}
