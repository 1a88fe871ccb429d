#include "functions.c"

size_t nondet_size_t(void);

void add_checked_harness(void)
{
    size_t a = nondet_size_t(), b = nondet_size_t(), sum = 0;
    int result = add_checked(a, b, &sum);
    __CPROVER_assert(result == -1 || (result == 0 && sum == a + b && sum >= a), "the sum, or an error");
}
