extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int count = 0;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 10; j++)
      count++;
  if (count > 49)
    reach_error();
  return 0;
}
