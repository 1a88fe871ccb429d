// expect: false
// A variable ends with its block.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = 0, y = 0;
    {
        int x = __VERIFIER_nondet_int();
        p = &x;
    }
    y = *p; // bad
    return y;
}
