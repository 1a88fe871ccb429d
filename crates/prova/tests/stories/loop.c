extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int sum = 0, unrelated = 7;
  for (int i = 0; i < 1000; i++)
    sum += 2;
  unrelated++;
  if (sum == 2000)
    reach_error();
  return unrelated;
}
