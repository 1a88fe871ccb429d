extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int twice(int x) {
  return 2 * x;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = twice(n) + 1;
  if (m == 43 && n > 0)
    reach_error();
  return 0;
}
