// expect: false or unknown
// property: valid-memcleanup
// The block would be freed by what atexit was given, but abort does not run it.
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
    if (block)
        abort();
    return 0;
}
