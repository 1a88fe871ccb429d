extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int measure(int channel);
int main(void) {
  int level = measure(3);
  if (level > 10)
    level = 10;
  if (level > 10)
    reach_error();
  return 0;
}
