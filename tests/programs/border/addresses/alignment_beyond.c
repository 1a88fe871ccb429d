// expect: unknown
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *a = malloc(3);
    if (a && ((uintptr_t)a & 0xfff) == 0x2a0)
        reach_error();
    return 0;
}
