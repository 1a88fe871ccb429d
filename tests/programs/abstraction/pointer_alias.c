// expect: true
// Predicates over memory: a cell is written through another name.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = 0, b = 0, *p = &a;
  if (__VERIFIER_nondet_int())
    p = &b;
  *p = 5;
  if (a == 5 && b == 5)
    reach_error();
  if (p == &a && a != 5)
    reach_error();
  return 0;
}
