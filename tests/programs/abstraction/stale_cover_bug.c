// expect: false
// Would embarrass who covers too much: the second way into the loop differs in one variable that
// matters only three rounds later.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int armed = 0, count = 0;
  if (__VERIFIER_nondet_int() == 12345)
    armed = 1;
  while (count < 3)
    count++;
  if (armed)
    reach_error();
  return 0;
}
