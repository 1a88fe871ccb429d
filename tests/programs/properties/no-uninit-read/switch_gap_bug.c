// expect: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x;
    switch (__VERIFIER_nondet_int() & 3) {
    case 0: x = 1; break;
    case 1:
    case 2: x = 2; break;
    }
    return x; // bad
}
