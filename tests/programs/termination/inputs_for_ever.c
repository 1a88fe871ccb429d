// expect: false
// It ends when the world wants it to, and the world need not.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int balance = 0;
    while (__VERIFIER_nondet_int() != 7) {
        balance = 1;
    }
    return balance;
}
