// expect: false
// inputs: 1
// exit runs what atexit was given.
#include <stdlib.h>
#include <unistd.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void at_end(void)
{
    reach_error();
}
int main(void)
{
    if (atexit(at_end) != 0)
        _exit(0);
    if (__VERIFIER_nondet_int() == 1)
        exit(0);
    _exit(0);
}
