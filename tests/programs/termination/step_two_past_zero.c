// expect: false
// Odd numbers never meet zero: they wrap round, and stay odd.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    while (x != 0)
        x -= 2;
    return 0;
}
