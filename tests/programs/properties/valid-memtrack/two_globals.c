// expect: true
// Two global variables, two blocks.
#include <stdlib.h>

static char *p, *q;
int main(void)
{
    p = malloc(1);
    q = malloc(2);
    return 0;
}
