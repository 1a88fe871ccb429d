// expect: true
// After SYNERGY, section 5, test16: a loop without end and a check behind it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = x, rounds = 0;
  if (x < 0 || x > 1000)
    return 0;
  while (__VERIFIER_nondet_int()) {
    x = x + 1;
    y = y + 1;
    rounds = 1 - rounds;
  }
  if (x - y != 0)
    reach_error();
  return 0;
}
