extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int mode = 0;
  switch (__VERIFIER_nondet_int()) {
  case 12: mode = 1; break;
  case 77: mode = 2; break;
  default: mode = 3;
  }
  if (mode == 2)
    reach_error();
  return 0;
}
