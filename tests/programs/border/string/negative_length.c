// expect: true
// property: valid-deref
// inputs: -1
// The length is asked for its sign before it becomes a size.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char from[4] = "abc", to[4];
    int n = __VERIFIER_nondet_int();
    if (n > 4)
        return 0;
    if (n < 0)
        return 0;
    memcpy(to, from, (size_t)n);
    return 0;
}
