#include "ring.h"

extern int __VERIFIER_nondet_int(void);

int main(void) {
  struct ring ring = {0, 0, {0}};
  while (__VERIFIER_nondet_int())
    if (put(&ring, __VERIFIER_nondet_int()))
      take(&ring);
  return 0;
}
