// expect: true
// property: valid-deref
// The size of what is pointed to.
#include <stdlib.h>
struct record {
    long a, b, c;
};

int main(void)
{
    struct record *r = malloc(sizeof *r);
    if (!r)
        return 1;
    r->c = 1;
    free(r);
    return 0;
}
