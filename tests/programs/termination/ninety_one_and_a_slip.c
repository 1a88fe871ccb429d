// expect: false
// McCarthy's 91 function with a slip: f(111) is 100, and so f(100) calls f(100).
extern int __VERIFIER_nondet_int(void);
static int f(int n) { return n > 100 ? n - 11 : f(f(n + 11)); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  return f(n) == 91;
}
