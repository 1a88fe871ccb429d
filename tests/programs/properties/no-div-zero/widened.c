// expect: true
// A conversion to a wider type keeps it.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a != 0)
        return 9 / (long)a > 1;
    return 0;
}
