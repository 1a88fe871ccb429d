// expect: true
// options: --malloc never-fails
// bits: 64
// The product does not fit: calloc fails.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = calloc(1UL << 62, 16);
    if (p != 0)
        reach_error();
    free(p);
    return 0;
}
