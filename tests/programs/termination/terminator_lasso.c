// expect: true
// In the manner of Cook, Podelski, Rybalchenko: Termination Proofs for Systems Code (PLDI 2006): two
// ways round, each with a measure of its own.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  while (x > 0 && y > 0) {
    if (__VERIFIER_nondet_int()) { x = x - 1; y = __VERIFIER_nondet_int(); }
    else y = y - 2;
  }
  return 0;
}
