#include "functions.c"

size_t nondet_size_t(void);

void next_place_harness(void)
{
    size_t at = nondet_size_t(), size = nondet_size_t();
    __CPROVER_assume(size > 0 && at < size);
    __CPROVER_assert(next_place(at, size) < size, "a place of the ring");
}
