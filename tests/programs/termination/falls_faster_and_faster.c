// expect: true
// Two phases: while the speed is positive the height grows, then it falls. Height is never more than
// 55, and so the speed never less than -12.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int height = __VERIFIER_nondet_int(), speed = 5;
  if (height < 0 || height > 40) return 0;
  while (height >= 0) {
    height += speed;
    speed--;
  }
  return 0;
}
