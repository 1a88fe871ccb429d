// expect: true
// What comes back from an integer is the pointer.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *a = malloc(sizeof(int));
    if (!a)
        return 0;
    *a = 5;
    uintptr_t n = (uintptr_t)a;
    if (*(int *)n != 5)
        reach_error();
    return 0;
}
