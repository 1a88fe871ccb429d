// expect: false
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// posix_memalign refuses an alignment that is no power of two.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    void *p = 0;
    int failed = posix_memalign(&p, 24, 10);
    if (failed)
        reach_error();
    free(p);
    return 0;
}
