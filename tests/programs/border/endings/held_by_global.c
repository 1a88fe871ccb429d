// expect: true
// property: valid-memcleanup
// The block that a global variable holds is freed at the end.
#include <stdlib.h>
static char *held;

int main(void)
{
    held = malloc(4);
    free(held);
    return 0;
}
