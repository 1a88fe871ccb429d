// expect: false (not native)
// The pointer has no value.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p;
    if (__VERIFIER_nondet_int() == 7)
        return *p; // bad
    return 0;
}
