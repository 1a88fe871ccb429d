// expect: true
// What one argument loses the other gains in part.
extern int __VERIFIER_nondet_int(void);
static int average(int x, int y) {
  if (x > 0) return average(x - 1, y + 1);
  if (y > 2) return 1 + average(x + 1, y - 2);
  return 1;
}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < 0 || y < 0 || x > 10000 || y > 10000) return 0;
  return average(x, y);
}
