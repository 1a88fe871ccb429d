// expect: false or unknown
// property: valid-memcleanup
// A destructor does not run at _exit.
#include <stdlib.h>
#include <unistd.h>
static char *block;

__attribute__((destructor)) static void drop(void)
{
    free(block);
}
int main(void)
{
    block = malloc(4);
    if (block)
        _exit(0);
    return 0;
}
