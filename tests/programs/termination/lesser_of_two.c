// expect: true min(q, p)
// One of two falls below the lesser of both, the other is anything.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int q = __VERIFIER_nondet_int(), p = __VERIFIER_nondet_int();
  while (q > 0 && p > 0) {
    if (q < p) { q--; p = __VERIFIER_nondet_int(); }
    else if (p < q) { p--; q = __VERIFIER_nondet_int(); }
    else break;
  }
  return 0;
}
