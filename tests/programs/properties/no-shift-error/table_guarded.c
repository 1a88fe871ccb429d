// expect: true
// All entries are small.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned char by[4] = { 7, 31, 3, 0 };
    return 1 >> by[__VERIFIER_nondet_uint() & 3];
}
