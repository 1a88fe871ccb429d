// expect: false
// qsort calls the comparison, which counts.
#include <stdlib.h>
extern void reach_error(void);
static int calls;

static int compare(const void *a, const void *b)
{
    calls++;
    return *(const char *)a - *(const char *)b;
}
int main(void)
{
    char v[3] = {'c', 'a', 'b'};
    qsort(v, 3, 1, compare);
    if (calls > 0)
        reach_error();
    return 0;
}
