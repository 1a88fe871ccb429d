// expect: false
// inputs: 97, 98
// Letters are counted by adding what isalpha returns, which is not one.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), letters;
    if (a < 0 || a > 127 || b < 0 || b > 127)
        return 0;
    letters = isalpha(a) + isalpha(b);
    if (letters > 2)
        reach_error();
    return 0;
}
