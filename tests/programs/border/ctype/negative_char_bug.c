// expect: false or unknown
// property: valid-deref
// inputs: -100000000
// A number that is no character is given to isupper, which looks into a table.
#include <ctype.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    return isupper(c) != 0;
}
