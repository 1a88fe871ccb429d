// expect: true
// qsort calls the comparison, which finds its invariant.
#include <stdlib.h>
extern void reach_error(void);
static int calls;

static int compare(const void *a, const void *b)
{
    if (a == 0 || b == 0)
        reach_error();
    calls++;
    return *(const char *)a - *(const char *)b;
}
int main(void)
{
    char v[3] = {'c', 'a', 'b'};
    qsort(v, 3, 1, compare);
    return 0;
}
