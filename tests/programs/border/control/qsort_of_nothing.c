// expect: true
// qsort of one element or none calls nothing.
#include <stdlib.h>
extern void reach_error(void);

static int compare(const void *a, const void *b)
{
    (void)a;
    (void)b;
    reach_error();
    return 0;
}
int main(void)
{
    int v[2] = {1, 2};
    qsort(v, 0, sizeof v[0], compare);
    return v[0] - 1;
}
