// expect: false
// property: no-null-deref
// allocations: fail 1
// strdup may find no memory.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("text");
    copy[0] = 'T';
    free(copy);
    return 0;
}
