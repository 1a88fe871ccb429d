// expect: false
// The variables of main are gone when it returns.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10);
    *p = 0;
    return 0;
} // bad
