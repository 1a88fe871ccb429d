// expect: false
// realloc keeps what was in the block: the first byte is what it was.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(2), *q;
    if (!p)
        return 0;
    p[0] = 'x';
    q = realloc(p, 100);
    if (!q) {
        free(p);
        return 0;
    }
    if (q[0] == 'x')
        reach_error();
    free(q);
    return 0;
}
