// expect: false (not native)
// A function ends the program.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char *keep;
static void give_up(int n)
{
    if (n == 5)
        exit(2); // bad
}
int main(void)
{
    keep = malloc(4);
    give_up(__VERIFIER_nondet_int());
    free(keep);
    return 0;
}
