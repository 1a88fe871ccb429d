// expect: true
// McCarthy's 91 function: its measure, 101 - n, falls only because of what inner calls return.
extern int __VERIFIER_nondet_int(void);
static int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  return f(n) == 91;
}
