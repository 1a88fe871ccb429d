// expect: true
// A label that has to be given up: what holds in the first round does not hold in the second, so
// a node that was covered is uncovered.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, y = 0, round = 0;
  while (__VERIFIER_nondet_int()) {
    if (round == 0) {
      x = 1;
      round = 1;
    } else {
      x = 2;
      y = 1;
    }
  }
  if (x == 2 && y == 0)
    reach_error();
  return 0;
}
