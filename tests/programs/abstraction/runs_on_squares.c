// expect: true
// After SYNERGY, section 5, test17 to test20: no finite set of predicates from paths shows it,
// the invariant has to be generalised. SLAM goes on without end.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned i = 0, twice = 0, n = __VERIFIER_nondet_int();
  while (i < n) {
    i++;
    twice += 2;
  }
  if (twice != 2 * i)
    reach_error();
  return 0;
}
