// expect: true
// property: valid-deref
// options: --entry clear
// What a pointer to `void` leads to has the size of what it is converted to.
#include <string.h>
struct point {
    int x, y;
};

void clear(void *p, unsigned long n)
{
    struct point *at = p;
    if (n <= 8)
        memset(at, 0, sizeof *at);
}
