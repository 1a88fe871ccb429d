// expect: false
// The block goes with its owner.
#include <stdlib.h>

struct owner { char *name; };
int main(void)
{
    struct owner *o = malloc(sizeof *o);
    o->name = malloc(4);
    free(o);
    return 0;
} // bad
