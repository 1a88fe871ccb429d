// expect: true
// As many elements as were allocated.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), i;
    if (n < 1 || n > 10)
        return 0;
    int *a = malloc(n * sizeof(int));
    for (i = 0; i < n; i++)
        a[i] = i;
    free(a);
    return 0;
}
