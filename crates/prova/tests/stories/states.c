extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int state = 0, locked = 0;
  while (1) {
    switch (state) {
    case 0:
      locked = 1;
      state = 1;
      break;
    case 1:
      if (__VERIFIER_nondet_int())
        state = 2;
      break;
    case 2:
      if (!locked)
        reach_error();
      locked = 0;
      state = 0;
      break;
    default:
      reach_error();
    }
  }
}
