// expect: true
// Shifting into the sign is the property no-overflow.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    return (x << 31) + (x >> 31);
}
