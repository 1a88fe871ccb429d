// expect: true or unknown
// property: valid-deref
// The text of a number is copied with its end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char b[32];
    snprintf(b, sizeof b, "id-%d", __VERIFIER_nondet_int());
    size_t n = strlen(b);
    char *copy = malloc(n + 1);
    if (!copy)
        return 0;
    memcpy(copy, b, n + 1);
    char last = copy[n];
    free(copy);
    return last;
}
