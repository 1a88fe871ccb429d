// expect: false
// The member is forgotten.
#include <stdlib.h>

struct owner { char *name; };
int main(void)
{
    struct owner o;
    o.name = malloc(4);
    o.name[0] = 0;
    o.name = 0;
    return 0;
} // bad
