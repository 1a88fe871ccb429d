// expect: true
// The pointer is back at the start.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    p += 2;
    p -= 2;
    free(p);
    return 0;
}
