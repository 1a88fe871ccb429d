// expect: true
// After Henzinger, Jhala, Majumdar, Sutre, Lazy Abstraction, Figure 1: two places need different
// predicates: the first lock is there for a request, the second for a list.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int lock = 0, got = 0, count, seen;
  if (__VERIFIER_nondet_int()) {
    if (lock == 1)
      reach_error();
    lock = 1;
    got = 1;
  }
  if (got) {
    if (lock == 0)
      reach_error();
    lock = 0;
  }
  do {
    if (lock == 1)
      reach_error();
    lock = 1;
    count = __VERIFIER_nondet_int();
    seen = count;
    if (__VERIFIER_nondet_int()) {
      if (lock == 0)
        reach_error();
      lock = 0;
      count = seen + 1;
    }
  } while (count != seen);
  if (lock == 0)
    reach_error();
  return 0;
}
