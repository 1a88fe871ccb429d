// expect: false
// An entry of the table is too far.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned char by[3] = { 7, 31, 32 };
    return 1 >> by[__VERIFIER_nondet_uint() % 3]; // bad
}
