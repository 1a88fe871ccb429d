// expect: true or unknown
// Two blocks that live at the same time are different.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *a = malloc(40), *b;
    uintptr_t before = (uintptr_t)a;
    if (!a)
        return 0;
    b = malloc(40);
    if (b && (uintptr_t)b == before)
        reach_error();
    return 0;
}
