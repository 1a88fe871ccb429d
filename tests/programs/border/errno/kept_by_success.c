// expect: true
// inputs: 5
// What errno was set to stays.
#include <errno.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    errno = __VERIFIER_nondet_int();
    if (errno != 0 && errno == 0)
        reach_error();
    return 0;
}
