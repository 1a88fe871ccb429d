// expect: false
// One block of each round is lost.
#include <stdlib.h>

int main(void)
{
    char *p = 0;
    int i;
    for (i = 0; i < 3; i++)
        p = malloc(1);
    free(p);
    return 0;
} // bad
