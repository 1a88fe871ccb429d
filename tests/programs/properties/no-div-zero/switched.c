// expect: true
// Zero has a case of its own.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    switch (a) {
    case 0: return 0;
    case 1: return 7;
    default: return 7 / a;
    }
}
