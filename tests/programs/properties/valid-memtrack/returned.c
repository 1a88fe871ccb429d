// expect: false
// What the function returns is dropped.
#include <stdlib.h>

static char *make(void)
{
    return malloc(4);
}
int main(void)
{
    make();
    return 0;
} // bad
