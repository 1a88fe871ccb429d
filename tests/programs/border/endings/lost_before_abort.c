// expect: true
// property: valid-memtrack
// Nothing is lost before abort.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    p = 0;
    abort();
}
