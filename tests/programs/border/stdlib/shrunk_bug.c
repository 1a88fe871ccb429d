// expect: false
// property: valid-deref
// A block that was made smaller is used to its old end.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(16), *q;
    if (!p)
        return 1;
    q = realloc(p, 4);
    if (!q) {
        free(p);
        return 1;
    }
    q[15] = 1;
    free(q);
    return 0;
}
