// expect: false
// property: valid-deref
// After realloc the old pointer is used, which is not valid any more.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(2), *q;
    if (!p)
        return 1;
    q = realloc(p, 200000);
    if (!q) {
        free(p);
        return 1;
    }
    p[0] = 1;
    free(q);
    return 0;
}
