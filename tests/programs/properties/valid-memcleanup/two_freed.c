// expect: true
// Both blocks are freed.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(1), *q = malloc(2);
    free(p);
    free(q);
    return 0;
}
