// expect: false
// calloc allocates, too.
#include <stdlib.h>

int main(void)
{
    int *p = calloc(2, 4);
    return p[1];
} // bad
