// expect: true
// Pointers into one block are in order.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char *other = malloc(7);
    char *a = malloc(16);
    unsigned n = __VERIFIER_nondet_uint();
    if (!a || !other || n > 16)
        return 0;
    char *end = a + n;
    if (end < a || end - a != n)
        reach_error();
    return 0;
}
