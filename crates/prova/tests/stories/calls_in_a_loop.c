extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int total;
static void add(int x) { total += x; }
int main(void) {
  for (int i = 0; i < 20; i++)
    add(3);
  if (total == 60)
    reach_error();
  return 0;
}
