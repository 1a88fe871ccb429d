// expect: true
// The block is freed before the end.
#include <stdlib.h>

static char *p;
int main(void)
{
    p = malloc(10);
    free(p);
    return 0;
}
