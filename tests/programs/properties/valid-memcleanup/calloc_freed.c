// expect: true
// And is freed.
#include <stdlib.h>

int main(void)
{
    int *p = calloc(2, 4), x = p[1];
    free(p);
    return x;
}
