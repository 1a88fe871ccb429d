// expect: unknown
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *a = malloc(sizeof(int)), *b = malloc(sizeof(int));
    if (!a || !b)
        return 0;
    if ((uintptr_t)a % 7 == (uintptr_t)b % 7)
        reach_error();
    return 0;
}
