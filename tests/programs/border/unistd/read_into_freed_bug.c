// expect: false or unknown
// property: valid-deref
// stdin: "abc"
// The buffer was freed before it is filled.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char *p = malloc(4);
    ssize_t n;
    if (!p)
        return 1;
    free(p);
    n = read(0, p, 4);
    return n == 9;
}
