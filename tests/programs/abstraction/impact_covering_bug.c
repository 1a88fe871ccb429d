// expect: false
// As impact_covering.c; the error needs the third round.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, y = 0, round = 0;
  while (__VERIFIER_nondet_int()) {
    if (round == 0) {
      x = 1;
      round = 1;
    } else if (round == 1) {
      x = 2;
      y = 1;
      round = 2;
    } else {
      y = 0;
    }
  }
  if (x == 2 && y == 0)
    reach_error();
  return 0;
}
