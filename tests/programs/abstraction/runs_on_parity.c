// expect: true
// After SYNERGY, section 5, test16: a loop that may go on for ever and a check behind it. Paths give
// the values of `i` one by one; that they are even, no path says. SLAM goes on without end.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned i = 0;
  while (__VERIFIER_nondet_int())
    i = i + 2;
  if (i == 1000001)
    reach_error();
  return 0;
}
