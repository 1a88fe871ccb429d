// expect: false
// A conversion makes it zero.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a != 0)
        return 9 / (char)a; // bad
    return 0;
}
