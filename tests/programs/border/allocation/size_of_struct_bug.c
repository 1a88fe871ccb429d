// expect: false
// property: valid-deref
// The size of the pointer, where that of what is pointed to was meant.
#include <stdlib.h>
struct record {
    long a, b, c;
};

int main(void)
{
    struct record *r = malloc(sizeof r);
    if (!r)
        return 1;
    r->c = 1;
    free(r);
    return 0;
}
