// expect: false
// The size of the pointer instead of what it points to.
#include <stdlib.h>

struct big { long a, b, c; };
int main(void)
{
    struct big *p = malloc(sizeof(p));
    p->a = 1;
    p->c = 2; // bad
    free(p);
    return 0;
}
