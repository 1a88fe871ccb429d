// expect: true
// Freeing null does nothing.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4);
    free(p);
    p = 0;
    free(p);
    free(0);
    return 0;
}
