// expect: true or unknown
// property: valid-free
// What alloca gave is not freed.
#include <alloca.h>
#include <stdlib.h>

int main(void)
{
    char *p = alloca(8);
    p[0] = 1;
    p = 0;
    free(p);
    return 0;
}
