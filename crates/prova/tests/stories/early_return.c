extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int valid(int x) {
  if (x < 100)
    return 0;
  if (x > 100)
    return 0;
  return 1;
}
int main(void) {
  if (valid(__VERIFIER_nondet_int()))
    reach_error();
  return 0;
}
