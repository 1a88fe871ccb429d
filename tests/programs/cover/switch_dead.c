extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int() & 1;
    switch (x) {
    case 0:
        return 10;
    case 1:
        return 20;
    case 2:
        return 30;
    }
    return 40;
}
