#include "functions.c"
#include <stdlib.h>

size_t nondet_size_t(void);
unsigned char nondet_uchar(void);

void find_byte_harness(void)
{
    size_t length = nondet_size_t();
    __CPROVER_assume(length <= 1000);
    unsigned char *in = malloc(length);
    __CPROVER_assume(in != NULL);
    size_t found = find_byte(in, length, nondet_uchar());
    __CPROVER_assert(found <= length, "a place, or the end");
}
