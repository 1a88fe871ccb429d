// expect: true
// The first block is freed before the second.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    free(p);
    p = malloc(5);
    free(p);
    return 0;
}
