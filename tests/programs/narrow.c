// expect: false
// A char cannot hold 300: converted back it is 44.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned char c = (unsigned char)x;
    if (x == 300 && c == 44)
        reach_error();
    return 0;
}
