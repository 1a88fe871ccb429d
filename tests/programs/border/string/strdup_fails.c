// expect: true
// property: no-null-deref
// allocations: fail 1
// strdup may find no memory, which is asked.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("text");
    if (!copy)
        return 1;
    copy[0] = 'T';
    free(copy);
    return 0;
}
