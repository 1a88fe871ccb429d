// expect: false
// property: valid-free
// realloc gets a variable.
#include <stdlib.h>

int main(void)
{
    char small[4], *p;
    small[0] = 0;
    p = realloc(small, 8);
    free(p);
    return 0;
}
