// expect: true
// No object lies where the kernel puts error codes.
#include <stdlib.h>
extern void reach_error(void);
int global;

static int is_error(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }

int main(void)
{
    char *a = malloc(3);
    int local;
    if (is_error(a) || is_error(&global) || is_error(&local))
        reach_error();
    return 0;
}
