// expect: true
// All entries are right.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int square[4] = { 0, 1, 4, 9 };
    unsigned i = __VERIFIER_nondet_uint() % 4;
    assert(square[i] == (int)(i * i));
    return 0;
}
