extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
  int *p = malloc(8);
  if (!p)
    return 0;
  p[0] = 3;
  p[1] = p[0] + 1;
  if (p[1] == 4)
    reach_error();
  return 0;
}
