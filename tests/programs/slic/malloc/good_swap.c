// expect: true
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
#include <string.h>

static void replace(char **slot, char *by)
{
    if (*slot != by)
        free(*slot);
    *slot = by;
}
int main(void)
{
    char *slot = malloc(8), *other = malloc(8);
    replace(&slot, __VERIFIER_nondet_int() ? slot : other);
    if (slot != other)
        free(other);
    free(slot);
    return 0;
}
