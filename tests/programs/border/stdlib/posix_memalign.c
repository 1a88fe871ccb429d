// expect: true
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// posix_memalign writes the pointer only if it returns zero.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    void *p = 0;
    int failed = posix_memalign(&p, 64, 10);
    if (!failed && p == 0)
        reach_error();
    free(p);
    return 0;
}
