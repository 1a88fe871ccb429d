#include "functions.c"
#include <stdlib.h>

size_t nondet_size_t(void);

void copy_lower_harness(void)
{
    size_t length = nondet_size_t();
    __CPROVER_assume(length <= 1000);
    char *to = malloc(length), *from = malloc(length);
    __CPROVER_assume(to != NULL && from != NULL);
    copy_lower(to, from, length);
}
