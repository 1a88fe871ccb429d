// expect: true
// The shape of Gopan and Reps, Lookahead Widening (CAV 2006): up for a while, then down.
int main(void) {
  int up = 0, height = 0;
  while (height >= 0) {
    if (up < 30) height++; else height--;
    up++;
  }
  return 0;
}
