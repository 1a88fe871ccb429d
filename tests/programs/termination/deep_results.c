// expect: unknown
// Tests see small results only; that they are small must not be taken for granted.
extern int __VERIFIER_nondet_int(void);
static int depth(int n) { return n <= 0 ? 0 : depth(n - 1) + 1; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100000) return 0;
  int d = depth(n);
  while (d > 40000) ;
  return 0;
}
