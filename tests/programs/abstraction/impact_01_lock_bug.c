// expect: false
// As impact_01_lock.c, but the lock is not given back in one case.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int lock = 0, before = 0, now = 1;
  do {
    if (lock != 0)
      reach_error();
    lock = 1;
    before = now;
    if (__VERIFIER_nondet_int() == 77) {
      now++;
    } else if (__VERIFIER_nondet_int()) {
      lock = 0;
      now++;
    }
  } while (now != before);
  return 0;
}
