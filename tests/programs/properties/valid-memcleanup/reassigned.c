// expect: false
// The pointer is used for a second block.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    p = malloc(5);
    free(p);
    return 0;
} // bad
