// expect: true
// property: valid-memtrack
// What strdup allocated is freed.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("abc");
    free(copy);
    copy = 0;
    return copy != 0;
}
