// expect: false
// The block is freed through another pointer.
#include <stdlib.h>

static void drop(char *q)
{
    free(q);
}
int main(void)
{
    char *p = malloc(3), *q = p;
    drop(q);
    p[1] = 1; // bad
    return 0;
}
