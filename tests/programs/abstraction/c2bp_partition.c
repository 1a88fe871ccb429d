// expect: true
// After Ball, Majumdar, Millstein, Rajamani, Automatic Predicate Abstraction of C Programs,
// Figure 1: a value is compared before and behind steps that do not change it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int limit = __VERIFIER_nondet_int(), current = 0, moved = 0;
  while (__VERIFIER_nondet_int()) {
    int value = __VERIFIER_nondet_int();
    if (value > limit) {
      current = value;
      moved = 1;
    }
    if (moved && current <= limit)
      reach_error();
  }
  return 0;
}
