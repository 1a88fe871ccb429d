extern int __VERIFIER_nondet_int(void);
int main(void)
{
    switch (__VERIFIER_nondet_int()) {
    case 1:
        return 10;
    case 7:
        return 20;
    default:
        return 30;
    }
}
