// expect: true
// Cook, See, Zuleger: Ramsey vs. Lexicographic Termination Proving (TACAS 2013), Figure 8: the
// distance falls on both sides.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int goal = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
  while (x != goal) {
    if (x > goal) x--; else x++;
  }
  return 0;
}
