// expect: true
// After Henzinger, Jhala, Majumdar, McMillan, Abstractions from Proofs, section 2: predicates that
// matter at some places only, many conditions in a row.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  int x = 0, y = 0, z = 0;
  if (a) x = 1;
  if (b) y = 1;
  if (c) z = 1;
  if (a && x != 1) reach_error();
  if (b && y != 1) reach_error();
  if (c && z != 1) reach_error();
  return 0;
}
