// expect: false
// property: valid-deref
// shown by: a crash of the program
// A constant table is sorted.
#include <stdlib.h>
static const int table[2] = {2, 1};

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    qsort((void *)table, 2, sizeof table[0], compare);
    return 0;
}
