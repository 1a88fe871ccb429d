// expect: false
// property: valid-deref
// There is no room for the end of the text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char b[32];
    snprintf(b, sizeof b, "id-%d", __VERIFIER_nondet_int());
    size_t n = strlen(b);
    char *copy = malloc(n);
    if (!copy)
        return 0;
    memcpy(copy, b, n + 1);
    char last = copy[n];
    free(copy);
    return last;
}
