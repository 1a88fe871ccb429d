// expect: false or unknown
// glibc gives a pointer that is not null for a block of no bytes.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(0), *q = malloc(0);
    if (p)
        reach_error();
    free(p);
    free(q);
    return 0;
}
