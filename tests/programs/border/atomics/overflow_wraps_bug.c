// expect: false
// property: no-overflow
// inputs: 2147483647
// The same addition by the operator overflows.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), m = n;
    __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
    m = m + 1;
    return n == m;
}
