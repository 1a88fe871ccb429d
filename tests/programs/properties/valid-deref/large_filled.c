// expect: true
// A block as large as an input says: no bound in the text, and none by how blocks are placed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *p = malloc(n);
    for (int i = 0; i < n; i++)
        p[i] = 1;
    free(p);
    return 0;
}
