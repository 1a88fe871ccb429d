// expect: true
// Freed at the end.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10);
    p[1] = 0;
    free(p);
    return 0;
}
