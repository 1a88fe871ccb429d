extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int depth(int n) {
  if (n > 3)
    return depth(n - 2) + 1;
  return n;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 20)
    return 0;
  if (depth(n) == 6)
    reach_error();
  return 0;
}
