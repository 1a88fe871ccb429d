// expect: true
// property: valid-memcleanup
// The block is freed before _exit.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char *p = malloc(4);
    free(p);
    _exit(p == 0);
}
