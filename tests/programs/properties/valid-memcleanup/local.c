// expect: false
// The variables of main are gone.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10);
    p[1] = 0;
    return 0;
} // bad
