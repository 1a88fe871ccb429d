// expect: true
// inputs: 11
// Six characters are spaces, and 'x' is none.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (isspace('x') || !isspace('\t'))
        reach_error();
    return 0;
}
