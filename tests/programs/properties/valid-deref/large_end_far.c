// expect: false
// The byte behind a block of more than 200 MB, where a smaller one may lie.
#include <stdlib.h>
int main(void)
{
    char *p = malloc(200000000);
    char *q = malloc(8);
    q[7] = 2;
    p[200000000] = 1; // bad
    free(p);
    free(q);
    return 0;
}
