extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  double x = 0.5;
  x = x * 4.0;
  if (x == 2.0)
    reach_error();
  return 0;
}
