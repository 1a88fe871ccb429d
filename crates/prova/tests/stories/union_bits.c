extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

union both {
  unsigned whole;
  unsigned char bytes[4];
};

int main(void) {
  union both b;
  b.whole = __VERIFIER_nondet_uint();
  if (b.bytes[0] == 0x7f && b.bytes[3] == 1)
    reach_error();
  return 0;
}
