// expect: true
// A turnstile that is locked whenever nobody paid: the loop of main rests on pairs of values.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int locked = 1, paid, passed, coins;

static void coin(void) {
  if (paid < 100) {
    paid = paid + 1;
    coins = coins + 1;
  }
  locked = 0;
}

static void push(void) {
  if (locked)
    return;
  if (paid == 0)
    reach_error();
  passed = passed + 1;
  paid = paid - 1;
  if (paid == 0)
    locked = 1;
}

int main(void) {
  int rounds = 0;
  while (rounds < 1000) {
    if (__VERIFIER_nondet_int())
      coin();
    else
      push();
    rounds = rounds + 1;
    if (passed + paid != coins)
      reach_error();
  }
  return 0;
}
