// expect: false
// property: no-null-deref
// inputs: 98
// strchr does not find the letter, and what it returns is read.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char c = (char)__VERIFIER_nondet_int();
    char *at = strchr("xyz", c);
    return *at;
}
