// expect: false
// property: valid-deref
// inputs: -1
// A negative length becomes a huge size.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char from[4] = "abc", to[4];
    int n = __VERIFIER_nondet_int();
    if (n > 4)
        return 0;
    memcpy(to, from, (size_t)n);
    return 0;
}
