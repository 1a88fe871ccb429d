// expect: true
// A global variable still points to the block.
#include <stdlib.h>

static char *p;
int main(void)
{
    p = malloc(10);
    return 0;
}
