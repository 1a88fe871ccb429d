// expect: false (not native)
// More blocks than frees.
#include <stdlib.h>

int main(void)
{
    char *p[3];
    int i;
    for (i = 0; i < 3; i++)
        p[i] = malloc(1);
    for (i = 1; i < 3; i++)
        free(p[i]);
    return 0;
} // bad
