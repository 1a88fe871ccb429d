// expect: true
// The zero may stand anywhere, or nowhere: who reads behind the end is over.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  char *s = malloc((unsigned)n);
  if (!s) return 0;
  s[n - 1] = 0;
  char *p = s;
  while (*p != 0) p++;
  return 0;
}
