// expect: false
// inputs: 5
// errno is a variable that can be read again.
#include <errno.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    errno = __VERIFIER_nondet_int();
    if (errno == 5)
        reach_error();
    return 0;
}
