// expect: true
// property: valid-deref
// A table is sorted.
#include <stdlib.h>
static int table[2] = {2, 1};

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    qsort((void *)table, 2, sizeof table[0], compare);
    return 0;
}
