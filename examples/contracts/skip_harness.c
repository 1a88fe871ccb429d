#include "functions.c"
#include <stdlib.h>

size_t nondet_size_t(void);

void skip_harness(void)
{
    size_t size = nondet_size_t();
    __CPROVER_assume(size <= 1000);
    struct cursor cursor = {malloc(size), size};
    __CPROVER_assume(cursor.at != NULL);
    int result = skip(&cursor, nondet_size_t());
    __CPROVER_assert(result == 0 || result == -1, "one of the two");
    __CPROVER_assert(cursor.left <= size, "no more is left than there was");
}
