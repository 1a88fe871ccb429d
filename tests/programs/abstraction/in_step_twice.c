// expect: true
// Two variables in step, one twice as fast; the check says how.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned i = 0, twice = 0, n = __VERIFIER_nondet_int();
  while (i < n) {
    i++;
    twice += 2;
  }
  if (twice != 2 * i)
    reach_error();
  return 0;
}
