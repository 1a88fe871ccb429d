// expect: true
// After SYNERGY, section 5, test15: a loop with the check inside of it. SLAM goes on without end.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (x == 40000 && y != 80000)
      reach_error();
    x = x + 1;
    y = y + 2;
  }
  return 0;
}
