extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[4] = {1, 2, 3, 4};
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3)
    return 0;
  table[i] = 9;
  if (table[2] == 9)
    reach_error();
  return 0;
}
