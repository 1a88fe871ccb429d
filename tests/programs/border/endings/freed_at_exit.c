// expect: true or unknown
// property: valid-memcleanup
// The block is freed by what atexit was given.
#include <stdlib.h>
static char *block;

static void drop(void)
{
    free(block);
}
int main(void)
{
    if (atexit(drop) != 0)
        return 0;
    block = malloc(4);
    exit(0);
}
