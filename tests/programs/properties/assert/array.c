// expect: false
// The index meets the one wrong entry.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int square[4] = { 0, 1, 4, 8 };
    unsigned i = __VERIFIER_nondet_uint() % 4;
    assert(square[i] == (int)(i * i)); // bad
    return 0;
}
