// expect: false
// property: valid-deref
// strdup allocates as many bytes as the text has, and no more.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("abc");
    if (!copy)
        return 1;
    copy[4] = 0;
    free(copy);
    return 0;
}
