// expect: true
// After McMillan, Lazy Abstraction with Interpolants, Figure 1: a lock that is taken and given
// back inside of a loop that ends when nothing changed.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int lock = 0, before = 0, now = 1;
  do {
    if (lock != 0)
      reach_error();
    lock = 1;
    before = now;
    if (__VERIFIER_nondet_int()) {
      lock = 0;
      now++;
    }
  } while (now != before);
  if (lock != 1)
    reach_error();
  return 0;
}
