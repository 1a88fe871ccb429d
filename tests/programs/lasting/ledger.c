// expect: true
// What is written is what is read: the sum of a ledger's entries is kept beside it.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

struct ledger {
  unsigned credit, debit, entries;
};

static struct ledger book;

static void enter(unsigned amount) {
  book.credit = book.credit + amount;
  book.debit = book.debit + amount;
  book.entries = book.entries + 1;
}

static unsigned fill(void) {
  unsigned wanted = __VERIFIER_nondet_uint();
  unsigned done = 0;
  while (done < wanted) {
    enter(__VERIFIER_nondet_uint());
    done = done + 1;
  }
  return done;
}

static unsigned audit(unsigned rounds) {
  unsigned seen = 0;
  while (seen < rounds) {
    if (book.credit != book.debit)
      reach_error();
    seen = seen + 1;
  }
  return seen;
}

int main(void) {
  unsigned done = fill();
  if (book.entries != done)
    reach_error();
  audit(done);
  return 0;
}
