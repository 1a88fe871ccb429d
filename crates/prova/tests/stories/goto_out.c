extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = 3;
again:
  if (n == 0)
    goto out;
  n--;
  goto again;
out:
  reach_error();
  return 0;
}
