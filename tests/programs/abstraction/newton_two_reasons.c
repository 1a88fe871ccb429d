// expect: true
// After Ball, Rajamani, Generating Abstract Explanations: a path with two reasons why it cannot be
// run, of which one suffices.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  int x, y = 7;
  if (b > 0)
    c = b;
  else
    c = 0;
  x = c;
  if (x > 10 && b < 5 && y == 7)
    reach_error();
  return 0;
}
