extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned char small = 255;
  unsigned int large = 0;
  small++;
  large--;
  if (small < large)
    reach_error();
  return 0;
}
