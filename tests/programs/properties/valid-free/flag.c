// expect: true
// A flag remembers whether it was freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(4), gone = 0;
    if (__VERIFIER_nondet_int()) {
        free(p);
        gone = 1;
    }
    if (!gone)
        free(p);
    return 0;
}
