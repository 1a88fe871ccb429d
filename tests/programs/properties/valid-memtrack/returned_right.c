// expect: true
// What the function returns is freed.
#include <stdlib.h>

static char *make(void)
{
    return malloc(4);
}
int main(void)
{
    char *p = make();
    free(p);
    return 0;
}
