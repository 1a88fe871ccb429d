extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 1;
  __asm__ volatile("" : "=r"(x));
  if (x == 5)
    reach_error();
  return 0;
}
