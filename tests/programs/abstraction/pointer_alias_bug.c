// expect: false
// As pointer_alias.c; both cells may be written.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = 0, b = 0, *p = &a;
  *p = 5;
  if (__VERIFIER_nondet_int() == 9)
    p = &b;
  *p = 5;
  if (a == 5 && b == 5)
    reach_error();
  return 0;
}
