// expect: false
// The variable of the last round is gone.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = 0, i;
    for (i = 0; i < 3; i++) {
        int x = i;
        p = &x;
        if (__VERIFIER_nondet_int())
            break;
    }
    return *p; // bad
}
