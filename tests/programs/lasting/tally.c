// expect: true
// Two copies of a counting function, and a loop of the caller that rests on what it returns.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int total;

static int count(int n) {
  int i = 0, s = 0;
  while (i < n) {
    i++;
    s += 2;
  }
  if (s != 2 * i)
    reach_error();
  return i;
}

static void note(int what) { total = total + what; }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000)
    return 0;
  int a = count(n);
  int b = count(n);
  note(a);
  while (b > 0) {
    note(1);
    b--;
  }
  if (total != 2 * n)
    reach_error();
  return 0;
}
