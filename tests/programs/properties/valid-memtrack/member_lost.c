// expect: false
// The member is overwritten.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static struct { int n; char *text; } box;
int main(void)
{
    box.text = malloc(3);
    box.n = 3;
    if (__VERIFIER_nondet_int() < 0)
        box.text = "nothing";
    return 0;
} // bad
