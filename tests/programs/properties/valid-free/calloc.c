// expect: true
// Blocks of calloc are blocks.
#include <stdlib.h>

int main(void)
{
    int *p = calloc(3, sizeof *p);
    int x = p[2];
    free(p);
    return x;
}
