// expect: true or unknown
// property: valid-memcleanup
// The block is freed by a destructor.
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
    return 0;
}
