// expect: false
// property: valid-memtrack
// What strdup allocated is lost.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("abc");
    copy = 0;
    return copy != 0;
}
