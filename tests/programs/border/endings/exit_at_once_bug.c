// expect: false
// property: valid-memcleanup
// _exit ends the program while a block is allocated.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char *p = malloc(4);
    _exit(p == 0);
}
