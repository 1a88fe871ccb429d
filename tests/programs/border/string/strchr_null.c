// expect: true
// property: no-null-deref
// inputs: 98
// strchr is asked whether it found the letter.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char c = (char)__VERIFIER_nondet_int();
    char *at = strchr("xyz", c);
    if (!at)
        return 0;
    return *at;
}
