// expect: false
// One step in hundred is left out.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 9, i = 0, j = 0;
    while (i < n) {
        i++;
        if (i != 7)
            j++;
    }
    assert(i == j); // bad
    return 0;
}
