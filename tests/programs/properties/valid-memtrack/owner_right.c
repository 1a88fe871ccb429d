// expect: true
// First the name, then its owner.
#include <stdlib.h>

struct owner { char *name; };
int main(void)
{
    struct owner *o = malloc(sizeof *o);
    o->name = malloc(4);
    free(o->name);
    free(o);
    return 0;
}
