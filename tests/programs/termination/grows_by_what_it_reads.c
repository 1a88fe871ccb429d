// expect: false
// With 1 given for ever the number grows, stays odd, and is never zero.
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned long long x = 1;
  while (x != 0) {
    if (__VERIFIER_nondet_uint() == 1) x = x + 2;
    else x = 0;
  }
  return 0;
}
