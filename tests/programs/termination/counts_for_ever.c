// expect: false
// No state comes again before the counter is round, which is not waited for.
unsigned long long rounds;
int main(void) {
  unsigned step = 3;
  while (step != 0) {
    rounds++;
    step = step | 1;
  }
  return 0;
}
