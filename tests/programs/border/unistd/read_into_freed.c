// expect: true or unknown
// property: valid-deref
// stdin: "abc"
// The buffer lives while it is filled.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char *p = malloc(4);
    ssize_t n;
    if (!p)
        return 1;
    n = read(0, p, 4);
    free(p);
    return n == 9;
}
