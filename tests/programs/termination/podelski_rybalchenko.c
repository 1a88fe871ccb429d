// expect: true
// Podelski and Rybalchenko: A Complete Method for the Synthesis of Linear Ranking Functions (VMCAI
// 2004): a loop without a case distinction, whose sum falls.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i > 10000 || j > 10000 || i < 0 || j < 0) return 0;
  while (i - j >= 1) {
    i = i - 3;
    j = j + 2;
  }
  return 0;
}
