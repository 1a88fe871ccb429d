extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), flags = 0;
  if (x % 2 == 0)
    flags = 1;
  if (x == 77777)
    flags += 2;
  if (flags == 3)
    reach_error();
  return 0;
}
