// expect: true
// property: no-overflow
// inputs: 2147483647
// An atomic addition wraps round: it is no overflow.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), m = n;
    __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
    return n == m;
}
