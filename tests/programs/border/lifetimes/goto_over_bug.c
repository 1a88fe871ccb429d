// expect: false or unknown
// property: no-uninit-read
// bits: 64
// inputs: 1
// The jump goes over the initialiser.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == 1)
        goto inside;
    {
        int x = 5;
inside:
        if (x > 4)
            return 1;
    }
    return 0;
}
