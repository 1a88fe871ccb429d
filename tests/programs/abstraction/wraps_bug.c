// expect: false
// Numbers wrap around: `i + 1 > i` is no law.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char i = __VERIFIER_nondet_uchar(), j = i;
  while (j == i || (j & 15) != 3)
    j++;
  if (j < i)
    reach_error();
  return 0;
}
