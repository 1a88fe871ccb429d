// expect: true
extern int __VERIFIER_nondet_int(void);
static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
int main(void) {
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (m < 0 || n < 0 || m > 3) return 0;
  return (int)ackermann((unsigned)m, (unsigned)n);
}
