// expect: false
// The sum says nothing of one number alone.

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
    while (x != 0) {
        x--;
        y++;
    }
    if (y == 3)
        reach_error();
    return 0;
}
