// expect: false or unknown
// property: valid-free
// realloc to no bytes has ended the block in glibc: it must not be freed again.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(8);
    if (!p)
        return 1;
    if (realloc(p, 0) == 0)
        free(p);
    return 0;
}
